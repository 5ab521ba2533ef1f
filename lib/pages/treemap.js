// Boxes in boxes, as large as the share of each ("squarified": Bruls, Huizing, van Wijk, 2000).
class Treemap {
	static HEAD = 17; // where the name of a box with others in it is

	layout(tree, base, width) {
		const height = Math.max(320, Math.min(width * 0.75, window.innerHeight - 170));
		this.list = [];
		const roots = base < 0 ? [...tree.children(-1)] : [base];
		this.place(tree, roots, { x: 0, y: 0, w: width, h: height });
		return height;
	}

	// Places nodes in a box, and what is below them in theirs.
	place(tree, nodes, room) {
		const waiting = [[nodes, room]];
		while (waiting.length) {
			const [siblings, inside] = waiting.pop();
			for (const box of this.squarify(tree, siblings, inside)) {
				if (box.w < 1 || box.h < 1)
					continue;
				const children = [...tree.children(box.node)];
				box.isGroup = children.length > 0 && box.w > 12 && box.h > 12;
				box.isWhole = children.length > 0 && !box.isGroup; // with all in it
				this.list.push(box);
				if (!box.isGroup)
					continue;
				const head = box.h > 3 * Treemap.HEAD && box.w > 40 ? Treemap.HEAD : 2;
				waiting.push([children, { x: box.x + 2, y: box.y + head, w: box.w - 4,
					h: box.h - head - 2 }]);
			}
		}
	}

	squarify(tree, nodes, room) {
		const sorted = nodes.filter((node) => tree.total[node] > 0)
			.sort((a, b) => tree.total[b] - tree.total[a]);
		let left = sorted.reduce((sum, node) => sum + tree.total[node], 0);
		let { x, y, w, h } = room;
		const boxes = [];
		for (let first = 0; first < sorted.length && w > 0 && h > 0;) {
			const side = Math.min(w, h), area = w * h / left;
			let sum = 0, worst = Infinity, last = first;
			for (; last < sorted.length; last++) {
				const more = sum + tree.total[sorted[last]] * area, thick = more / side;
				const ratio = (node) => {
					const long = tree.total[node] * area / thick;
					return Math.max(thick / long, long / thick);
				};
				const next = Math.max(ratio(sorted[first]), ratio(sorted[last]));
				if (next > worst)
					break;
				worst = next;
				sum = more;
			}
			const thick = sum / side;
			let at = 0;
			for (; first < last; first++) {
				const long = tree.total[sorted[first]] * area / thick;
				boxes.push(w >= h ? { node: sorted[first], x, y: y + at, w: thick, h: long }
					: { node: sorted[first], x: x + at, y, w: long, h: thick });
				at += long;
				left -= tree.total[sorted[first]];
			}
			if (w >= h) {
				x += thick;
				w -= thick;
			} else {
				y += thick;
				h -= thick;
			}
		}
		return boxes;
	}

	*boxes() {
		yield* this.list;
	}

	at(x, y) {
		for (let i = this.list.length - 1; i >= 0; i--) {
			const box = this.list[i];
			if (x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h)
				return box;
		}
		return null;
	}
}
