// Starts everything.
document.documentElement.classList.add("scripted");
setUpSorting();
setUpOpening();
setUpCopy();
setUpTimeline();
setUpFlame();
setUpTheme();
