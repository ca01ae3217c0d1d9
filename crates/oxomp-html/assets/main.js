// Starts everything.
document.documentElement.classList.add("scripted");
setUpTables();
setUpTerms();
setUpOpening();
setUpCopy();
setUpTimeline();
setUpFlame();
setUpTheme();
