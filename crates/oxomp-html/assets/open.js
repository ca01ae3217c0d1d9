// Opens and closes the details below rows.
function setUpOpening() {
  for (const row of document.querySelectorAll("tr.opens")) {
    const button = row.querySelector(".opener");
    row.addEventListener("click", (event) => {
      if (event.target.closest("a") || getSelection().toString()) return;
      const detail = document.getElementById(button.getAttribute("aria-controls"));
      const open = detail.classList.toggle("open");
      button.setAttribute("aria-expanded", String(open));
      const threads = detail.querySelector("[data-region]");
      if (open && threads) drawRegionThreads(threads);
    });
  }
}
