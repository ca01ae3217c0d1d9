// The timeline of all threads on one canvas: how many worked, which region ran, each thread's time.
class Timeline {
  constructor(canvas, facts) {
    this.canvas = canvas;
    this.facts = facts;
    this.order = facts.kinds;
    this.rows = facts.rows.map((row) => ({ ...row, lane: new Lane(row.begin, row.cells) }));
    this.regions = new Lane(0, facts.regions);
    this.constructs = facts.constructs === null ? null : new Lane(0, facts.constructs);
    this.devices = facts.devices ? new Lane(0, facts.devices) : null;
    this.from = 0;
    this.to = facts.end;
    this.selection = null;
    const rows = this.rows.length;
    this.rowHeight = rows <= 8 ? 26 : rows <= 24 ? 18 : rows <= 64 ? 9 : 4;
    this.gap = this.rowHeight > 9 ? 4 : this.rowHeight > 4 ? 1 : 0;
    this.chart = 54;
    this.top = 22;
  }
  get left() { return this.width < 520 ? 34 : 84; }
  get plot() { return this.width - this.left - 10; }
  get regionsAt() { return this.top + this.chart + 8; }
  get constructsAt() { return this.regionsAt + 21; }
  get devicesAt() { return (this.constructs ? this.constructsAt : this.regionsAt) + 21; }
  get rowsAt() { return this.devicesAt + (this.devices ? 26 : 5); }
  timeAt(x) { return this.from + (x - this.left) / this.plot * (this.to - this.from); }
  xOf(time) { return this.left + (time - this.from) / (this.to - this.from) * this.plot; }
  rowAt(y) {
    const row = Math.floor((y - this.rowsAt) / (this.rowHeight + this.gap));
    return row >= 0 && row < this.rows.length ? row : -1;
  }
  // Shows an interval, which stays inside the run and at least ten nanoseconds long.
  show(from, to) {
    const end = this.facts.end;
    const length = Math.min(end, Math.max(to - from, 10));
    this.from = Math.min(Math.max(0, from), end - length);
    this.to = this.from + length;
    this.request();
  }
  zoom(factor, around = (this.from + this.to) / 2) {
    this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  move(part) {
    const by = part * (this.to - this.from);
    this.show(this.from + by, this.to + by);
  }
  all() { this.show(0, this.facts.end); }
  request() {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame(() => { this.requested = false; this.draw(); });
  }
  draw() {
    this.width = this.canvas.clientWidth;
    if (this.width === 0) return;
    const height = this.rowsAt + this.rows.length * (this.rowHeight + this.gap) + 6;
    const context = sharpContext(this.canvas, this.width, height);
    this.colours = new Map(this.order.map((kind) => [kind.id, colourOf(kind.colour)]));
    this.ink = colourOfProperty("--ink");
    this.quiet = colourOfProperty("--quiet");
    this.line = colourOfProperty("--line");
    this.paper = colourOfProperty("--paper");
    context.font = "12px system-ui, sans-serif";
    this.drawAxis(context, height);
    this.drawWorking(context);
    this.drawSpans(context, this.regions, this.facts.regionNames, this.regionsAt, "region");
    if (this.constructs) this.drawSpans(context, this.constructs, this.facts.constructNames, this.constructsAt, "construct");
    if (this.devices) this.drawSpans(context, this.devices, this.facts.deviceNames, this.devicesAt, "device");
    this.rows.forEach((row, number) => this.drawRow(context, row, number));
    if (this.selection) {
      const [a, b] = this.selection;
      context.fillStyle = colourOfProperty("--accent");
      context.globalAlpha = 0.2;
      context.fillRect(Math.min(a, b), 0, Math.abs(b - a), height);
      context.globalAlpha = 1;
    }
    this.describe();
  }
  describe() {
    const whole = this.from === 0 && this.to === this.facts.end;
    const span = this.to - this.from;
    document.getElementById("timeline-range").textContent =
      `${whole ? "Whole run, " : `${formatTime(this.from)} to ${formatTime(this.to)}, `}${formatTime(span)}; a column is ${formatTime(span / this.plot)}`;
  }
  drawAxis(context, height) {
    context.fillStyle = this.quiet;
    context.strokeStyle = this.line;
    context.lineWidth = 1;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    for (const tick of ticks(this.from, this.to, this.plot / 95)) {
      const x = Math.round(this.xOf(tick)) + 0.5;
      context.beginPath();
      context.moveTo(x, this.top - 5);
      context.lineTo(x, height);
      context.stroke();
      const text = formatTick(tick, this.to - this.from);
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(Math.max(x, half + 2), this.width - half - 2), 13);
    }
  }
  // How many threads did useful work, tasks at the bottom.
  drawWorking(context) {
    const { task, useful, serial } = this.facts;
    const step = (this.to - this.from) / this.plot;
    const unit = this.chart / Math.max(1, this.rows.length);
    for (let x = 0; x < this.plot; x++) {
      const from = this.from + x * step;
      let below = 0;
      for (const kind of [task, useful, serial]) {
        let sum = 0;
        for (const { lane } of this.rows) sum += lane.upTo(kind, from + step, lane.cellAt(from + step)) - lane.upTo(kind, from, lane.cellAt(from));
        const height = sum / step * unit;
        if (height <= 0) continue;
        context.fillStyle = this.colours.get(kind);
        context.fillRect(this.left + x, this.top + this.chart - below - height, 1, height);
        below += height;
      }
    }
    context.fillStyle = this.quiet;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const wide = this.left > 40;
    context.fillText(wide ? `${this.rows.length} threads` : String(this.rows.length), this.left - 7, this.top + 6);
    if (wide) context.fillText("working", this.left - 7, this.top + 22);
    context.fillText("0", this.left - 7, this.top + this.chart - 5);
    context.strokeStyle = this.line;
    context.strokeRect(this.left - 0.5, this.top - 0.5, this.plot + 1, this.chart + 1);
  }
  // Calls `paint(x, width, times, pure)` for every column of a row: columns in one cell together.
  columns(lane, paint) {
    const step = (this.to - this.from) / this.plot;
    let x = Math.max(0, Math.floor((lane.begin - this.from) / step));
    const last = Math.min(this.plot, Math.ceil((lane.end - this.from) / step));
    while (x < last) {
      const from = this.from + x * step;
      const cell = lane.cellAt(Math.max(from, lane.begin));
      if (cell >= lane.count) return;
      const inside = Math.floor((lane.ends[cell] - from) / step);
      if (lane.pure[cell] >= 0 && inside >= 1 && from >= lane.beginOf(cell)) {
        const width = Math.min(inside, Math.ceil(last - x));
        paint(x, width, null, lane.pure[cell]);
        x += width;
      } else {
        paint(x, 1, lane.times(from, from + step), -1);
        x += 1;
      }
    }
  }
  drawRow(context, row, number) {
    const y = this.rowsAt + number * (this.rowHeight + this.gap);
    const step = (this.to - this.from) / this.plot;
    this.columns(row.lane, (x, width, times, pure) => {
      if (times === null) {
        context.fillStyle = this.colours.get(pure);
        context.fillRect(this.left + x, y, width, this.rowHeight);
        return;
      }
      const of = new Map(times);
      let below = 0;
      for (const { id } of this.order) {
        const height = (of.get(id) ?? 0) / step * this.rowHeight;
        if (height <= 0) continue;
        context.fillStyle = this.colours.get(id);
        context.fillRect(this.left + x, y + this.rowHeight - below - height, width, height);
        below += height;
      }
    });
    if (row.sumsFrom !== null) this.hatch(context, this.xOf(row.sumsFrom), this.xOf(row.lane.end), y);
    if (this.rowHeight >= 9 || number % 8 === 0) {
      context.fillStyle = this.ink;
      context.textAlign = "right";
      context.textBaseline = "middle";
      context.fillText(this.left > 40 ? row.name : row.name.replace("thread ", ""), this.left - 7, y + this.rowHeight / 2);
    }
  }
  hatch(context, from, to, y) {
    const left = Math.max(from, this.left), right = Math.min(to, this.left + this.plot);
    if (right <= left) return;
    context.save();
    context.beginPath();
    context.rect(left, y, right - left, this.rowHeight);
    context.clip();
    context.strokeStyle = this.paper;
    context.globalAlpha = 0.55;
    for (let x = Math.floor((left - this.rowHeight) / 7) * 7; x < right; x += 7) {
      context.beginPath();
      context.moveTo(x, y + this.rowHeight);
      context.lineTo(x + this.rowHeight, y);
      context.stroke();
    }
    context.restore();
  }
  // A row that says what ran: shaded by the share of it, with the name where there is room.
  drawSpans(context, lane, names, y, label) {
    const height = 18;
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.fillStyle = this.quiet;
    if (this.left > 40) context.fillText(label, this.left - 7, y + height / 2);
    const step = (this.to - this.from) / this.plot;
    this.columns(lane, (x, width, times, pure) => {
      const share = times === null ? Number(pure !== 0) : times.reduce((sum, [kind, time]) => sum + (kind === 0 ? 0 : time), 0) / step;
      context.fillStyle = this.quiet;
      context.globalAlpha = 0.3 * share;
      context.fillRect(this.left + x, y, width, height);
      context.globalAlpha = 1;
      if (pure <= 0 || width < 24) return;
      context.fillStyle = this.ink;
      context.textAlign = "left";
      const text = fitted(context, names[pure], width - 10);
      if (text) context.fillText(text, this.left + x + 5, y + height / 2 + 0.5);
    });
  }
  // What there is at a point: rows of a tooltip.
  contentAt(x, y) {
    if (x < this.left || x > this.left + this.plot) return null;
    const step = (this.to - this.from) / this.plot;
    const from = this.timeAt(x) - step / 2, to = from + step;
    const region = this.regions.times(from, to).sort((a, b) => b[1] - a[1])[0];
    const construct = this.constructs?.times(from, to).sort((a, b) => b[1] - a[1])[0];
    const inside = construct ? this.facts.constructNames[construct[0]] : "";
    const device = this.devices?.times(from, to).sort((a, b) => b[1] - a[1])[0];
    const beside = device ? this.facts.deviceNames[device[0]] : "";
    const name = (region ? this.facts.regionNames[region[0]] : "") + (inside ? `, ${inside}` : "") + (beside ? `, ${beside}` : "");
    const number = this.rowAt(y);
    if (number < 0) {
      const working = this.rows.reduce((sum, { lane }) => sum + [this.facts.task, this.facts.useful, this.facts.serial]
        .reduce((part, kind) => part + lane.upTo(kind, to, lane.cellAt(to)) - lane.upTo(kind, from, lane.cellAt(from)), 0), 0) / step;
      return [make("b", "", `${working.toFixed(1)} of ${this.rows.length} threads work`), make("p", "", `${name}, at ${formatTime(from)}`)];
    }
    const row = this.rows[number];
    const times = row.lane.times(from, to).sort((a, b) => b[1] - a[1]);
    const all = times.reduce((sum, part) => sum + part[1], 0);
    const kind = (id) => this.order.find((one) => one.id === id);
    const content = [make("b", "", row.name + (row.initial ? ", initial" : ""))];
    for (const [id, time] of times.slice(0, 5)) content.push(tooltipRow(kind(id).colour, kind(id).name, formatShare(time / all)));
    if (times.length === 0) content.push(make("p", "", "not there"));
    const cell = row.lane.cellAt((from + to) / 2);
    if (times.length === 1 && cell < row.lane.count && row.lane.pure[cell] >= 0) {
      content.push(make("p", "", `for ${formatTime(row.lane.ends[cell] - row.lane.beginOf(cell))}`));
    }
    if (row.sumsFrom !== null && from >= row.sumsFrom) content.push(make("p", "", "mean of the sums from here to the end"));
    content.push(make("p", "", `${name}, at ${formatTime(from)}`));
    return content;
  }
}
// A text that fits a width, cut if need be; empty if nothing of it fits.
function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let length = Math.floor(text.length * width / context.measureText(text).width);
  while (length > 2 && context.measureText(`${text.slice(0, length)}…`).width > width) length--;
  return length > 2 ? `${text.slice(0, length)}…` : "";
}
