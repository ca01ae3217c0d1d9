// Terms explain themselves where they stand: under a pointer, with the keyboard's focus, or at a
// touch. Without this script a term leads to its definition at the end of the page.
function setUpTerms() {
  let pinned = null;
  const contentOf = (term) => {
    const definition = document.getElementById(term.hash.slice(1));
    if (!definition) return null;
    return [make("b", "", definition.querySelector("dt").textContent), make("p", "", definition.querySelector("dd").textContent)];
  };
  const show = (term) => {
    const content = contentOf(term);
    if (!content) return;
    const box = term.getBoundingClientRect();
    showTooltip({ clientX: box.left - 14, clientY: box.bottom - 12, above: box.top }, content);
  };
  for (const term of document.querySelectorAll("a.def")) {
    // The browser's own tooltip would cover this one.
    term.removeAttribute("title");
    term.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse" && !pinned) show(term); });
    term.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse" && pinned !== term) hideTooltip(); });
    term.addEventListener("focus", () => { if (term.matches(":focus-visible")) show(term); });
    term.addEventListener("blur", () => { pinned = null; hideTooltip(); });
    term.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      pinned = pinned === term ? null : term;
      if (pinned) { term.focus({ preventScroll: true }); show(term); } else hideTooltip();
    });
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") { pinned = null; hideTooltip(); } });
  addEventListener("pointerdown", (event) => { if (pinned && !pinned.contains(event.target)) { pinned = null; hideTooltip(); } });
  addEventListener("scroll", () => { if (pinned) { pinned = null; hideTooltip(); } }, { passive: true, capture: true });
  // On paper every list of terms is open.
  addEventListener("beforeprint", () => { for (const list of document.querySelectorAll("details.terms")) list.open = true; });
}
