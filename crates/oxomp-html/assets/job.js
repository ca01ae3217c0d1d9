// Starts everything that a page without pictures has.
document.documentElement.classList.add("scripted");
setUpTables();
setUpTerms();
setUpCopy();
setUpTheme();
