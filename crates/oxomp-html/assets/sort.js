// Sorts tables by a column: a row and what opens below it stay together.
function setUpSorting() {
  for (const table of document.querySelectorAll("table.sortable")) {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
      if (heading.textContent === "") return;
      const isNumber = heading.classList.contains("n");
      const button = make("button", "sorter", "↕");
      button.type = "button";
      button.setAttribute("aria-label", `sort by ${heading.textContent}`);
      heading.append(button);
      button.addEventListener("click", () => {
        const was = heading.getAttribute("aria-sort");
        const down = was ? was === "ascending" : isNumber;
        for (const other of headings) {
          other.removeAttribute("aria-sort");
          const sorter = other.querySelector(".sorter");
          if (sorter) sorter.textContent = "↕";
        }
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        button.textContent = down ? "↓" : "↑";
        sortRows(table.tBodies[0], column, isNumber, down);
      });
    });
  }
}
function sortRows(body, column, isNumber, down) {
  const groups = [];
  for (const row of body.rows) {
    if (row.classList.contains("detail")) groups.at(-1).rows.push(row);
    else groups.push({ key: row.cells[column].dataset.key, rows: [row] });
  }
  groups.sort((a, b) => {
    const order = isNumber || column !== 0 && !isNaN(a.key) && !isNaN(b.key)
      ? Number(a.key) - Number(b.key) : a.key.localeCompare(b.key);
    return down ? -order : order;
  });
  for (const group of groups) body.append(...group.rows);
}
