// An icicle: what calls is above what it calls, as wide as the share of both.
class Flame {
	static ROW = 20;
	static MOST_ROWS = 700; // more would not fit into a canvas

	// Places what is below `base`, -1 for all, in `width` pixels. Returns the height.
	layout(tree, base, width) {
		const total = base < 0 ? [...tree.children(-1)].reduce((sum, i) => sum + tree.total[i], 0)
			: tree.total[base];
		const scale = total > 0 ? width / total : 0, first = base < 0 ? 0 : tree.depth[base];
		// Where the next child of a node begins, in pixels, from 1; of what has no parent here, at 0.
		const next = new Float64Array(tree.count + 1);
		this.rows = [];
		const end = base < 0 ? tree.count : tree.end[base];
		for (let i = base < 0 ? 0 : base; i < end;) {
			const row = tree.depth[i] - first, wide = tree.total[i] * scale;
			const parent = i === base ? -1 : tree.parent[i], at = next[parent + 1];
			next[parent + 1] += wide;
			next[i + 1] = at;
			if (wide < 0.4 || row >= Flame.MOST_ROWS) {
				i = tree.end[i];
				continue;
			}
			(this.rows[row] ??= []).push({ node: i, x: at, y: row * Flame.ROW, w: wide, h: Flame.ROW });
			i++;
		}
		return Math.max(1, this.rows.length) * Flame.ROW;
	}

	*boxes() {
		for (const row of this.rows)
			yield* row;
	}

	at(x, y) {
		const row = this.rows[Math.floor(y / Flame.ROW)] || [];
		let low = 0, high = row.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (row[middle].x + row[middle].w <= x)
				low = middle + 1;
			else
				high = middle;
		}
		return low < row.length && row[low].x <= x ? row[low] : null;
	}
}
