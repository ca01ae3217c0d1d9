// Light, dark, or as the system; canvases are told when their colours change.
const repaints = [];
const repaint = () => { for (const one of repaints) one(); };
function setUpTheme() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const themes = ["system", "light", "dark"];
  let theme = "system";
  try { theme = localStorage.getItem("oxomp-theme") ?? "system"; } catch { /* no storage here */ }
  const apply = () => {
    if (!themes.includes(theme)) theme = "system";
    if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
    repaint();
  };
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try { localStorage.setItem("oxomp-theme", theme); } catch { /* no storage here */ }
    apply();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  let before;
  addEventListener("beforeprint", () => { before = root.dataset.theme; root.dataset.theme = "light"; repaint(); });
  addEventListener("afterprint", () => {
    if (before) root.dataset.theme = before; else delete root.dataset.theme;
    repaint();
  });
  apply();
}
// The present colour of a class of the style sheet.
function colourOf(className) {
  const probe = make("i", className);
  probe.hidden = true;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
// The present value of a colour that is a custom property.
function colourOfProperty(name) {
  const probe = make("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
