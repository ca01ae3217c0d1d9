// Tables: sorted by a column, found by text or class, and in pages where they are long. A row and
// what opens below it stay together.
const ROWS_OF_PAGE = 20;
const views = new Map();
function setUpTables() {
  for (const table of document.querySelectorAll("table.sortable")) views.set(table, new TableView(table));
}
class TableView {
  constructor(table) {
    this.table = table;
    this.body = table.tBodies[0];
    this.box = table.closest(".table-box");
    this.groups = [];
    for (const row of this.body.rows) {
      if (row.classList.contains("detail")) { this.groups.at(-1).rows.push(row); continue; }
      this.groups.push({
        rows: [row],
        keys: [...row.cells].map((cell) => cell.dataset.key),
        text: row.textContent.toLowerCase(),
        kind: row.querySelector("[data-class]")?.dataset.class ?? "",
      });
    }
    this.found = this.groups;
    this.page = 0;
    this.size = ROWS_OF_PAGE;
    this.search = "";
    this.kind = "";
    this.setUpSorters();
    if (this.groups.length > ROWS_OF_PAGE) this.setUpTools();
    this.draw();
  }
  get name() { return this.box.dataset.name; }
  setUpSorters() {
    const headings = [...this.table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
      const title = heading.textContent;
      if (title === "") return;
      const isNumber = heading.classList.contains("n");
      const button = make("button", "sorter", "↕");
      button.type = "button";
      button.setAttribute("aria-label", `sort by ${title}`);
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
        this.sort(column, isNumber, down);
      });
    });
  }
  sort(column, isNumber, down) {
    this.groups.sort((one, other) => {
      const a = one.keys[column], b = other.keys[column];
      const order = isNumber || column !== 0 && !isNaN(a) && !isNaN(b) ? Number(a) - Number(b) : a.localeCompare(b, undefined, { numeric: true });
      return down ? -order : order;
    });
    for (const group of this.groups) this.body.append(...group.rows);
    this.page = 0;
    this.find();
  }
  setUpTools() {
    const tools = make("div", "toolbar table-tools");
    const label = make("label", "", "Find ");
    const search = make("input");
    search.type = "search";
    search.autocomplete = "off";
    search.spellcheck = false;
    label.append(search);
    tools.append(label);
    search.addEventListener("input", () => { this.search = search.value.trim().toLowerCase(); this.page = 0; this.find(); });
    const kinds = [...new Set(this.groups.map((group) => group.kind))].filter((kind) => kind !== "");
    if (kinds.length > 1) {
      const choice = make("label", "", "mostly ");
      const select = make("select");
      select.append(make("option", "", "anything"));
      for (const kind of kinds.sort()) select.append(make("option", "", kind));
      select.addEventListener("change", () => { this.kind = select.selectedIndex === 0 ? "" : select.value; this.page = 0; this.find(); });
      choice.append(select);
      tools.append(choice);
    }
    const pager = make("nav", "pager");
    pager.setAttribute("aria-label", `Pages of ${this.name}`);
    this.back = make("button", "", "‹");
    this.back.setAttribute("aria-label", "page before");
    this.next = make("button", "", "›");
    this.next.setAttribute("aria-label", "next page");
    this.all = make("button", "", "all");
    this.all.setAttribute("aria-pressed", "false");
    this.range = make("span", "n range");
    this.range.setAttribute("aria-live", "polite");
    for (const button of [this.back, this.next, this.all]) button.type = "button";
    this.back.addEventListener("click", () => this.turn(-1));
    this.next.addEventListener("click", () => this.turn(1));
    this.all.addEventListener("click", () => {
      const isAll = this.size === Infinity;
      this.size = isAll ? ROWS_OF_PAGE : Infinity;
      this.all.setAttribute("aria-pressed", String(!isAll));
      this.page = 0;
      this.draw();
    });
    pager.append(this.back, this.range, this.next, this.all);
    tools.append(pager);
    this.box.prepend(tools);
  }
  turn(by) { this.page += by; this.draw(); }
  find() {
    this.found = this.groups.filter((group) => group.text.includes(this.search) && (this.kind === "" || group.kind === this.kind));
    this.draw();
  }
  // Shows the page with a row.
  reveal(row) {
    const isIn = (group) => group.rows.includes(row);
    if (!this.found.some(isIn)) { this.found = this.groups; this.search = this.kind = ""; }
    if (this.size !== Infinity) this.page = Math.floor(this.found.findIndex(isIn) / this.size);
    this.draw();
  }
  draw() {
    const first = this.size === Infinity ? 0 : this.page * this.size;
    const shown = new Set(this.found.slice(first, first + this.size));
    for (const group of this.groups) for (const row of group.rows) row.hidden = !shown.has(group);
    if (!this.range) return;
    const last = first + shown.size, all = this.groups.length;
    const of = this.found.length < all ? `${this.found.length} of ${all}` : String(all);
    this.range.textContent = shown.size === 0 ? `none of ${all}` : `${first + 1}–${last} of ${of}`;
    this.back.disabled = first === 0;
    this.next.disabled = last >= this.found.length;
  }
}
