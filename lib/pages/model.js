'use strict';

// What the page shows, as inlinecall wrote it (docs/formats/page.md).
const INLINED = 1, KERNEL = 2, SMALL = 4;
const GREW = 8, SHRANK = 16; // of changes
const { format: grouped } = new Intl.NumberFormat('en-US'); // 12,345

// A forest in the order in which it is walked: `end` is the first node behind all below a node.
class Tree {
	constructor(count) {
		this.count = count;
		this.parent = new Int32Array(count);
		this.depth = new Int32Array(count);
		this.end = new Int32Array(count);
		this.name = new Int32Array(count); // of a function, or -1 - that of a text
		this.flags = new Uint8Array(count);
		this.self = new Float64Array(count);
		this.total = new Float64Array(count);
		this.inlined = new Float64Array(count); // of the total, what inlined nodes have themselves
		this.net = new Float64Array(count); // the total, with what shrank subtracted
	}

	// Of nodes with depth, name, flags and self: what follows from these.
	finish() {
		const open = [];
		for (let i = 0; i < this.count; i++) {
			while (open.length > this.depth[i])
				this.end[open.pop()] = i;
			this.parent[i] = open.length ? open[open.length - 1] : -1;
			open.push(i);
		}
		while (open.length)
			this.end[open.pop()] = this.count;
		for (let i = this.count - 1; i >= 0; i--) {
			this.total[i] += this.self[i];
			this.inlined[i] += this.flags[i] & INLINED ? this.self[i] : 0;
			this.net[i] += this.flags[i] & SHRANK ? -this.self[i] : this.self[i];
			if (this.parent[i] < 0)
				continue;
			this.total[this.parent[i]] += this.total[i];
			this.inlined[this.parent[i]] += this.inlined[i];
			this.net[this.parent[i]] += this.net[i];
		}
		return this;
	}

	static read(numbers) {
		const tree = new Tree(numbers.length / 4);
		for (let i = 0; i < tree.count; i++) {
			tree.depth[i] = numbers[4 * i];
			tree.name[i] = numbers[4 * i + 1];
			tree.flags[i] = numbers[4 * i + 2];
			tree.self[i] = numbers[4 * i + 3];
		}
		return tree.finish();
	}

	// The nodes right below one; those of -1 are the roots.
	*children(node) {
		const end = node < 0 ? this.count : this.end[node];
		for (let i = node + 1; i < end; i = this.end[i])
			yield i;
	}

	// The same without inlined functions: what they have is their hosts'.
	withoutInlined() {
		const root = { children: new Map(), self: 0 }, made = [];
		let count = 0;
		for (let i = 0; i < this.count; i++) {
			let host = this.parent[i] < 0 ? root : made[this.parent[i]];
			if (!(this.flags[i] & INLINED)) {
				const key = this.name[i] * 8 + this.flags[i];
				if (!host.children.has(key)) {
					host.children.set(key, { children: new Map(), self: 0, node: i });
					count++;
				}
				host = host.children.get(key);
			}
			host.self += this.self[i];
			made.push(host);
		}
		const tree = new Tree(count), waiting = [...root.children.values()].reverse();
		const depths = new Array(waiting.length).fill(0);
		for (let i = 0; waiting.length; i++) {
			const from = waiting.pop(), depth = depths.pop();
			tree.depth[i] = depth;
			tree.name[i] = this.name[from.node];
			tree.flags[i] = this.flags[from.node];
			tree.self[i] = from.self;
			for (const child of [...from.children.values()].reverse()) {
				waiting.push(child);
				depths.push(depth + 1);
			}
		}
		return tree.finish();
	}
}

class Data {
	constructor(data) {
		Object.assign(this, data);
		this.isMap = this.kind === 'sizes' || this.kind === 'changes';
		this.whole = this.isMap ? this.treeOfSources() : Tree.read(this.nodes);
		if (this.kind === 'tree')
			this.addUp();
		if (this.total === undefined)
			this.total = [...this.whole.children(-1)].reduce((sum, i) => sum + this.whole.total[i], 0);
		this.hasInlined = this.whole.flags.some((flags) => flags & INLINED);
		this.colors = this.functions.map((row) => hash(this.texts[row[0]]) % 5);
	}

	// The functions of sizes or changes in the files and directories that declare them; of several programs, in each.
	treeOfSources() {
		const objects = new Set(this.functions.map((row) => row[3])), root = { children: new Map() };
		const child = (parent, key, name, self) => {
			if (!parent.children.has(key))
				parent.children.set(key, { children: new Map(), name, self, flags: 0 });
			return parent.children.get(key);
		};
		const texts = new Map(this.texts.map((text, i) => [text, i])), text = (word) => {
			if (!texts.has(word))
				texts.set(word, this.texts.push(word) - 1);
			return -1 - texts.get(word);
		};
		this.functions.forEach((row, i) => {
			let place = objects.size > 1 ? child(root, row[3], -1 - row[3], 0) : root;
			const path = row[1] < 0 ? [] : this.texts[row[1]].split(/(?<=.)\//).filter((part) => part);
			for (const part of path)
				place = child(place, part, text(part), 0);
			const leaf = child(place, i, i, Math.abs(row[4]));
			leaf.flags = row[row.length - 1] < 0 ? SMALL : this.kind === 'changes' ? row[4] < 0 ? SHRANK : GREW
				: 2 * row[5] > row[4] ? INLINED : 0;
		});
		const numbers = [], waiting = [...root.children.values()].map((node) => [node, 0]).reverse();
		while (waiting.length) {
			let [node, depth] = waiting.pop();
			// Directories with nothing beside the next one are one: "usr/include".
			let name = node.name;
			while (node.children.size === 1 && [...node.children.values()][0].name < 0) {
				node = [...node.children.values()][0];
				name = text(this.nameOf(name) + '/' + this.nameOf(node.name));
			}
			numbers.push(depth, name, node.flags, node.self);
			for (const next of [...node.children.values()].reverse())
				waiting.push([next, depth + 1]);
		}
		return Tree.read(numbers);
	}

	// What the functions of a tree have in all of it.
	addUp() {
		for (let i = 0; i < this.whole.count; i++) {
			if (this.whole.name[i] < 0)
				continue;
			const row = this.functions[this.whole.name[i]];
			row[4] += this.whole.self[i];
			row[5] += this.whole.flags[i] & INLINED;
		}
	}

	nameOf(name) {
		return name < 0 ? this.texts[-1 - name] : this.texts[this.functions[name][0]];
	}

	placeOf(name) {
		const row = name < 0 ? null : this.functions[name];
		return row && row[1] >= 0 ? this.texts[row[1]] + (row[2] ? ':' + row[2] : '') : '';
	}

	weight(number) {
		if (this.unit === 'nanoseconds')
			return number >= 1e9 ? (number / 1e9).toFixed(2) + ' s'
				: number >= 1e6 ? (number / 1e6).toFixed(1) + ' ms' : (number / 1e3).toFixed(1) + ' µs';
		return grouped(number) + (this.unit ? ' ' + this.unit : '');
	}

	signed(number) {
		return (number > 0 ? '+' : '') + grouped(number);
	}

	share(number) {
		const percent = this.total ? 100 * number / this.total : 0;
		return percent > 0 && percent < 0.05 ? '<0.1%' : percent.toFixed(1) + '%';
	}
}

function hash(text) {
	let sum = 0;
	for (let i = 0; i < text.length; i++)
		sum = (sum * 31 + text.charCodeAt(i)) >>> 0;
	return sum;
}

// A test for names: of a text in lower or upper case, or of /a regular expression/.
function matcher(query) {
	const pattern = query.match(/^\/(.+?)\/?$/);
	if (!pattern) {
		const wanted = query.toLowerCase();
		return (name) => name.toLowerCase().includes(wanted);
	}
	try {
		const expression = new RegExp(pattern[1]);
		return (name) => expression.test(name);
	} catch {
		return () => false;
	}
}
