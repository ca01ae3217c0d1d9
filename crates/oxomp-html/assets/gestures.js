// Moving about in the timeline: wheel, drag, keys, touch, buttons.
function setUpTimeline() {
  const canvas = document.getElementById("timeline-canvas");
  if (!canvas) return;
  const timeline = new Timeline(canvas, data.timeline);
  repaints.push(() => timeline.draw());
  new ResizeObserver(() => timeline.request()).observe(canvas);
  const xOf = (event) => event.clientX - canvas.getBoundingClientRect().left;
  const yOf = (event) => event.clientY - canvas.getBoundingClientRect().top;

  for (const button of document.querySelectorAll("[data-zoom]")) {
    const actions = { in: () => timeline.zoom(0.5), out: () => timeline.zoom(2), all: () => timeline.all() };
    button.addEventListener("click", actions[button.dataset.zoom]);
  }
  canvas.addEventListener("keydown", (event) => {
    const actions = {
      ArrowLeft: () => timeline.move(-0.2), ArrowRight: () => timeline.move(0.2),
      "+": () => timeline.zoom(0.6), "=": () => timeline.zoom(0.6), "-": () => timeline.zoom(1 / 0.6),
      0: () => timeline.all(), Home: () => timeline.all(),
    };
    if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[event.key]();
  });
  // Without a click before it, the wheel scrolls the page.
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) timeline.move(event.deltaX / timeline.plot);
    else timeline.zoom(1.0015 ** event.deltaY, timeline.timeAt(xOf(event)));
  }, { passive: false });

  const pointers = new Map();
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    pointers.set(event.pointerId, xOf(event));
    if (event.pointerType !== "touch") canvas.setPointerCapture(event.pointerId);
    const xs = [...pointers.values()];
    const times = xs.map((x) => timeline.timeAt(x));
    if (xs.length === 2) drag = { kind: "pinch", times };
    else drag = { kind: event.pointerType === "touch" || event.shiftKey ? "move" : "select", x: xs[0], from: timeline.from, to: timeline.to };
  });
  canvas.addEventListener("pointermove", (event) => {
    const x = xOf(event);
    if (!drag) {
      const content = timeline.contentAt(x, yOf(event));
      if (content) showTooltip(event, content); else hideTooltip();
      return;
    }
    if (!pointers.has(event.pointerId)) return;
    hideTooltip();
    pointers.set(event.pointerId, x);
    const xs = [...pointers.values()];
    if (drag.kind === "pinch" && xs.length === 2 && Math.abs(xs[1] - xs[0]) > 4) {
      const [a, b] = drag.times;
      const perPixel = (b - a) / (xs[1] - xs[0]);
      if (perPixel > 0) timeline.show(a - (xs[0] - timeline.left) * perPixel, a + (timeline.plot - xs[0] + timeline.left) * perPixel);
    } else if (drag.kind === "move") {
      const by = (drag.x - x) / timeline.plot * (drag.to - drag.from);
      timeline.show(drag.from + by, drag.to + by);
    } else if (drag.kind === "select") {
      timeline.selection = [drag.x, x];
      timeline.request();
    }
  });
  const finish = (event) => {
    pointers.delete(event.pointerId);
    if (drag?.kind === "select" && timeline.selection) {
      const [a, b] = timeline.selection.map((x) => timeline.timeAt(x)).sort((one, other) => one - other);
      const wide = Math.abs(timeline.selection[1] - timeline.selection[0]) > 4;
      timeline.selection = null;
      if (wide) timeline.show(Math.max(0, a), Math.min(b, timeline.facts.end)); else timeline.request();
    }
    if (pointers.size === 0) drag = null;
  };
  canvas.addEventListener("pointerup", finish);
  canvas.addEventListener("pointercancel", finish);
  canvas.addEventListener("pointerleave", hideTooltip);
  canvas.addEventListener("dblclick", () => timeline.all());
  timeline.draw();
  setUpParallelism(timeline);
}
