// How many threads executed a task, over the whole run.
function setUpParallelism(timeline) {
  const canvas = document.getElementById("parallelism-canvas");
  if (!canvas) return;
  const draw = () => {
    const width = canvas.clientWidth, height = 96, left = 34, top = 8, bottom = 20;
    if (width === 0) return;
    const context = sharpContext(canvas, width, height);
    const { end, task } = timeline.facts;
    const plot = width - left - 10, step = end / plot, most = timeline.rows.length;
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = colourOf("k-task");
    for (let x = 0; x < plot; x++) {
      let sum = 0;
      for (const { lane } of timeline.rows) sum += lane.upTo(task, (x + 1) * step, lane.cellAt((x + 1) * step)) - lane.upTo(task, x * step, lane.cellAt(x * step));
      const bar = sum / step / most * (height - top - bottom);
      context.fillRect(left + x, height - bottom - bar, 1, bar);
    }
    context.strokeStyle = colourOfProperty("--line");
    context.strokeRect(left - 0.5, top - 0.5, plot + 1, height - top - bottom + 1);
    context.fillStyle = colourOfProperty("--quiet");
    context.textAlign = "right";
    context.fillText(String(most), left - 6, top + 10);
    context.fillText("0", left - 6, height - bottom);
    context.textAlign = "center";
    for (const tick of ticks(0, end, plot / 95)) {
      const text = formatTick(tick, end);
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(Math.max(left + tick / step, half + 2), width - half - 2), height - 5);
    }
  };
  repaints.push(draw);
  new ResizeObserver(draw).observe(canvas);
}
