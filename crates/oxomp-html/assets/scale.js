// Starts everything that a page of several numbers of threads has.
document.documentElement.classList.add("scripted");
setUpTables();
setUpTerms();
setUpOpening();
setUpCopy();
setUpTheme();
