// A row of the timeline: cells with the time of each kind, and sums from the row's beginning up to
// each cell, so that the shares in any interval are two look-ups, however many cells lie in it.
function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
class Lane {
  constructor(begin, base64) {
    const bytes = bytesOf(base64);
    const cells = [];
    const kinds = new Set();
    let parts = [];
    for (let at = 0; at < bytes.length;) {
      const head = bytes[at++];
      let time = 0, scale = 1, byte;
      do { byte = bytes[at++]; time += (byte & 127) * scale; scale *= 128; } while (byte > 127);
      parts.push(head & 127, time);
      kinds.add(head & 127);
      if (head < 128) { cells.push(parts); parts = []; }
    }
    this.begin = begin;
    this.count = cells.length;
    this.kinds = [...kinds];
    this.ends = new Float64Array(cells.length);
    this.pure = new Int16Array(cells.length);
    this.sums = new Map(this.kinds.map((kind) => [kind, new Float64Array(cells.length + 1)]));
    let now = begin;
    cells.forEach((cell, i) => {
      for (const kind of this.kinds) { const sums = this.sums.get(kind); sums[i + 1] = sums[i]; }
      for (let p = 0; p < cell.length; p += 2) { now += cell[p + 1]; this.sums.get(cell[p])[i + 1] += cell[p + 1]; }
      this.ends[i] = now;
      this.pure[i] = cell.length === 2 ? cell[0] : -1;
    });
    this.end = now;
  }
  // The cell in which a time lies: the first that ends after it.
  cellAt(time) {
    let low = 0, high = this.count;
    while (low < high) { const mid = (low + high) >> 1; if (this.ends[mid] > time) high = mid; else low = mid + 1; }
    return low;
  }
  beginOf(cell) { return cell === 0 ? this.begin : this.ends[cell - 1]; }
  // The time of a kind up to a time that lies in a cell.
  upTo(kind, time, cell) {
    const sums = this.sums.get(kind);
    if (!sums || time <= this.begin) return 0;
    if (cell >= this.count) return sums[this.count];
    const from = this.beginOf(cell);
    return sums[cell] + (sums[cell + 1] - sums[cell]) * (time - from) / (this.ends[cell] - from);
  }
  // The time of each kind in an interval, as [kind, ns].
  times(from, to) {
    const first = this.cellAt(from), last = this.cellAt(to);
    return this.kinds.map((kind) => [kind, this.upTo(kind, to, last) - this.upTo(kind, from, first)]).filter((part) => part[1] > 0);
  }
}
