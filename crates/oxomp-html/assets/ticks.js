// Round times at about equal distances.
function ticks(from, to, most) {
  const raw = (to - from) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw);
  const found = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) found.push(tick);
  return found;
}
function formatTick(ns, span) {
  const [unit, name] = span >= 2e9 ? [1e9, "s"] : span >= 2e6 ? [1e6, "ms"] : span >= 2e3 ? [1e3, "µs"] : [1, "ns"];
  const value = ns / unit;
  const text = Number.isInteger(value) || Math.abs(value - Math.round(value)) < 1e-9 ? String(Math.round(value)) : value.toFixed(2);
  return `${text} ${name}`;
}
// Makes a canvas as sharp as the screen; returns its context, in CSS pixels.
function sharpContext(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}
