// The one tooltip of the page.
const tooltip = document.getElementById("tooltip");
function showTooltip(event, content) {
  tooltip.replaceChildren(...content);
  tooltip.hidden = false;
  const { width, height } = tooltip.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, innerWidth - width - 6);
  const below = event.clientY + 18;
  tooltip.style.left = `${Math.max(6, left)}px`;
  tooltip.style.top = `${below + height > innerHeight ? Math.max(4, (event.above ?? event.clientY) - height - 8) : below}px`;
}
function hideTooltip() { tooltip.hidden = true; }
// A row of a tooltip: a colour, a name, a number.
function tooltipRow(className, name, number) {
  const row = make("div");
  row.append(make("i", className), make("span", "", name), make("span", "", number));
  return row;
}
