// Opens and closes the details below rows.
function setUpOpening() {
  for (const row of document.querySelectorAll("tr.opens")) {
    const button = row.querySelector(".opener");
    row.addEventListener("click", (event) => {
      if (event.target.closest("a") || getSelection().toString()) return;
      open(button, button.getAttribute("aria-expanded") !== "true");
    });
  }
  // An address such as report.html#regions-0 opens the first region.
  const follow = () => {
    const id = CSS.escape(location.hash.slice(1));
    const button = id && document.querySelector(`.opener[aria-controls="${id}"]`);
    if (!button) return;
    const row = button.closest("tr");
    views.get(row.closest("table")).reveal(row);
    open(button, true);
    row.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
}
function open(button, isOpen) {
  const detail = document.getElementById(button.getAttribute("aria-controls"));
  detail.classList.toggle("open", isOpen);
  button.setAttribute("aria-expanded", String(isOpen));
  const threads = detail.querySelector("[data-region]");
  if (isOpen && threads) drawRegionThreads(threads);
}
