class Page {
	constructor(data) {
		this.data = data;
		this.tree = data.whole;
		this.base = -1;     // what is shown; -1 for all
		this.current = -1;  // the node that the keyboard is at
		this.chosen = null; // a function, highlighted wherever it is
		this.matches = null;
		this.canvas = document.querySelector('#canvas');
		this.context = this.canvas.getContext('2d');
		this.view = data.isMap ? new Treemap() : new Flame();
		this.table = new Table(data, (i) => this.choose(i === this.chosen ? null : i));
		this.writeHead();
		this.listen();
		this.draw();
		if (data.kind === 'tree')
			this.table.sort(1);
		else
			this.table.draw();
		this.describe(-1);
	}

	// ---- What does not change

	writeHead() {
		const { data } = this;
		document.title = data.title + ' - inlinecall';
		document.querySelector('#title').textContent = data.title;
		document.querySelector('#what').textContent = this.summary();
		document.querySelector('#notes').replaceChildren(...data.notes.map((note) => element('li', {}, note)));
		document.body.classList.toggle('no-graph', data.whole.count === 0);
		this.canFold = data.hasInlined && !data.isMap;
		document.body.classList.toggle('no-inlined', !this.canFold);
		const legend = data.kind === 'changes' ? [['--grew', 'more bytes'], ['--shrank', 'fewer bytes']]
			: [['--plain', 'function'], ['--inline', 'inlined']];
		if (data.whole.flags.some((flags) => flags & KERNEL))
			legend.push(['--kernel', 'kernel']);
		legend.push(['--found', 'found or chosen']);
		document.querySelector('#legend').append(...legend.map(([color, text]) => {
			const mark = element('i');
			mark.style.background = `var(${color})`;
			return element('span', {}, mark, text);
		}));
	}

	summary() {
		const { data } = this;
		if (data.kind === 'profile')
			return `${grouped(data.samples)} samples of ${data.event}, ${data.weight(data.total)}` +
				(data.unknown ? `; ${data.share(data.unknown)} of it in unknown functions` : '');
		if (data.kind === 'changes') {
			const [functions, copies, code] = data.totals;
			return `What changed in the inlining: ${this.change('copies', copies)}` +
				(code.includes(null) ? '' : `, ${this.change('bytes of code', code)}`) +
				`; ${grouped(functions)} ${functions === 1 ? 'function' : 'functions'} changed`;
		}
		return data.kind === 'stats' ? 'How much was inlined' : data.kind === 'tree'
			? `What was inlined into each function; ${data.weight(data.total)}`
			: `Where the bytes of the code are; ${data.weight(data.total)}`;
	}

	change(what, [before, after]) {
		return before === after ? `${grouped(after)} ${what}` : `${grouped(before)} → ${grouped(after)} ${what}`;
	}

	listen() {
		const { canvas } = this, on = (id, event, act) =>
			document.querySelector(id).addEventListener(event, act);
		const under = (event) => this.view.at(event.offsetX, event.offsetY);
		on('#search', 'input', (event) => this.search(event.target.value));
		on('#inlined', 'change', (event) => this.showInlined(event.target.checked));
		on('#reset', 'click', () => this.reset());
		canvas.addEventListener('mousemove', (event) => {
			const box = under(event);
			canvas.style.cursor = box ? 'pointer' : 'default';
			canvas.title = box ? this.label(box.node) : '';
			this.describe(box ? box.node : this.current);
		});
		canvas.addEventListener('mouseleave', () => this.describe(this.current));
		canvas.addEventListener('click', (event) => {
			const box = under(event);
			if (box)
				this.zoom(box.node === this.base ? this.tree.parent[box.node] : box.node);
		});
		canvas.addEventListener('keydown', (event) => this.move(event));
		document.addEventListener('keydown', (event) => this.key(event));
		for (const change of ['(prefers-color-scheme: dark)', 'print'])
			matchMedia(change).addEventListener('change', () => this.draw());
		new ResizeObserver(() => requestAnimationFrame(() => {
			if (this.width() !== this.drawnWidth)
				this.draw();
		})).observe(document.querySelector('#graph'));
	}

	// ---- The keyboard

	key(event) {
		const isTyping = event.target.matches('input[type=search]');
		if (event.key === 'Escape') {
			this.reset();
		} else if (event.key === '/' && !isTyping) {
			event.preventDefault();
			document.querySelector('#search').focus();
		} else if (event.key === 'i' && !isTyping && !event.ctrlKey && !event.metaKey && this.canFold) {
			const box = document.querySelector('#inlined');
			box.checked = !box.checked;
			this.showInlined(box.checked);
		}
	}

	move(event) {
		const { tree } = this, at = this.current;
		const largest = (nodes) => nodes.reduce((best, i) =>
			best < 0 || tree.total[i] > tree.total[best] ? i : best, -1);
		const siblings = at < 0 ? [] : [...tree.children(tree.parent[at])], place = siblings.indexOf(at);
		let next;
		switch (event.key) {
		case 'ArrowDown': next = largest([...tree.children(at < 0 ? this.base : at)]); break;
		case 'ArrowUp': next = at === this.base || at < 0 ? -1 : tree.parent[at]; break;
		case 'ArrowLeft': next = siblings[place - 1] ?? at; break;
		case 'ArrowRight': next = siblings[place + 1] ?? at; break;
		case 'Enter': this.zoom(at); break;
		case 'Backspace': this.zoom(this.base < 0 ? -1 : tree.parent[this.base]); break;
		default: return;
		}
		event.preventDefault();
		if (next !== undefined && next >= 0) {
			this.current = next;
			this.draw();
			this.describe(next);
		}
	}

	// ---- What is asked for

	zoom(node) {
		this.base = node;
		this.current = node;
		this.draw();
		this.describe(node);
	}

	choose(name) {
		this.chosen = name;
		this.draw();
		this.table.draw(this.matches, name);
		this.describe(-1);
	}

	search(query) {
		this.matches = query ? matcher(query) : null;
		this.table.shown = Table.STEP;
		this.draw();
		this.table.draw(this.matches, this.chosen);
	}

	showInlined(shown) {
		this.tree = shown ? this.data.whole : (this.without ??= this.data.whole.withoutInlined());
		this.zoom(-1);
	}

	reset() {
		document.querySelector('#search').value = '';
		this.chosen = this.matches = null;
		this.zoom(-1);
		this.table.draw(null, null);
	}

	// ---- Drawing

	// Which names are found or chosen; null if nothing is looked for.
	wanted() {
		if (!this.matches && this.chosen === null)
			return null;
		const known = new Map();
		return (name) => {
			if (!known.has(name))
				known.set(name, name === this.chosen ||
					(this.matches !== null && this.matches(this.data.nameOf(name))));
			return known.get(name);
		};
	}

	// Says how much all that was found is, each part once.
	sayFound(wanted) {
		let sum = 0, net = 0, count = 0;
		for (let i = 0; wanted && i < this.tree.count;) {
			if (wanted(this.tree.name[i])) {
				sum += this.tree.total[i];
				net += this.tree.net[i];
				count++;
				i = this.tree.end[i];
			} else {
				i++;
			}
		}
		const found = this.data.kind === 'changes' ? this.data.signed(net) + ' bytes' : this.data.share(sum);
		document.querySelector('#found').textContent = wanted
			? `${found} in ${count} ${count === 1 ? 'place' : 'places'}` : '';
	}

	width() {
		return Math.max(200, document.querySelector('#graph').clientWidth - 16);
	}

	draw() {
		if (this.data.whole.count === 0)
			return;
		const { canvas, context, tree, view } = this, scale = window.devicePixelRatio || 1;
		const width = this.drawnWidth = this.width();
		const height = view.layout(tree, this.base, width), wanted = this.wanted();
		const style = getComputedStyle(document.documentElement);
		const color = (name) => style.getPropertyValue(name).trim();
		const colors = { plain: color('--plain'), inline: color('--inline'), kernel: color('--kernel'),
			grew: color('--grew'), shrank: color('--shrank'),
			root: color('--root'), small: color('--small'), found: color('--found'), ink: color('--box-ink'),
			edge: color('--edge'), paper: color('--paper'), accent: color('--accent') };
		canvas.width = width * scale;
		canvas.height = height * scale;
		canvas.style.width = width + 'px';
		canvas.style.height = height + 'px';
		context.setTransform(scale, 0, 0, scale, 0, 0);
		context.font = '12px ui-monospace, monospace';
		context.textBaseline = 'middle';
		this.letter = context.measureText('m').width;
		for (const box of view.boxes())
			this.drawBox(box, colors, wanted);
		this.writePath();
		this.sayFound(wanted);
	}

	drawBox(box, colors, wanted) {
		const { context, tree } = this, { node, x, y, w, h } = box, name = tree.name[node];
		const isFound = wanted && wanted(name), isPlace = name < 0 && !box.isWhole;
		const flags = !box.isWhole ? tree.flags[node] : this.data.kind === 'changes'
			? (tree.net[node] < 0 ? SHRANK : GREW) : 2 * tree.inlined[node] > tree.total[node] ? INLINED : 0;
		context.globalAlpha = 1;
		context.fillStyle = colors.paper;
		context.fillRect(x, y, w, h);
		context.globalAlpha = (wanted && !isFound ? 0.35 : 1) * (name < 0 ? 1 : 1 - 0.08 * this.data.colors[name]);
		context.fillStyle = isFound ? colors.found : flags & SMALL ? colors.small : isPlace ? colors.root
			: flags & GREW ? colors.grew : flags & SHRANK ? colors.shrank
			: flags & INLINED ? colors.inline : flags & KERNEL ? colors.kernel : colors.plain;
		const gap = w > 2 && h > 2 ? 1 : 0;
		context.fillRect(x, y, w - gap, h - gap);
		context.globalAlpha = 1;
		if (node === this.current) {
			context.strokeStyle = colors.accent;
			context.lineWidth = 2;
			context.strokeRect(x + 1, y + 1, w - 2, h - 2);
		}
		const room = Math.floor((w - 8) / this.letter), line = box.isGroup ? Treemap.HEAD : Math.min(h, Flame.ROW);
		if (room < 3 || line < 11)
			return;
		const text = this.data.nameOf(name) +
			(this.data.kind === 'changes' ? ` ${this.data.signed(tree.net[node])}` : '');
		context.fillStyle = colors.ink;
		context.fillText(text.length <= room ? text : text.slice(0, room - 1) + '…', x + 4, y + line / 2);
	}

	// ---- Words

	label(node) {
		const { tree, data } = this;
		return `${data.nameOf(tree.name[node])}: ` +
			(data.kind === 'changes' ? data.signed(tree.net[node]) + ' bytes' : data.share(tree.total[node]));
	}

	writePath() {
		const { tree } = this, nodes = [];
		for (let i = this.base; i >= 0; i = tree.parent[i])
			nodes.push(i);
		const parts = [element('button', { onclick: () => this.zoom(-1) }, 'all')];
		for (const i of nodes.reverse())
			parts.push(' › ', element('button', { onclick: () => this.zoom(i) },
				this.data.nameOf(tree.name[i])));
		document.querySelector('#path').replaceChildren(...parts);
	}

	describe(node) {
		const { tree, data } = this, parts = [];
		const name = node >= 0 ? tree.name[node] : this.chosen !== null ? this.chosen : undefined;
		if (name === undefined) {
			parts.push(element('p', {}, data.whole.count
				? 'Point at a box, or choose a function below: it is shown wherever it is.'
				: 'Choose a function.'));
		} else {
			parts.push(element('p', {}, element('b', {}, data.nameOf(name)),
				node >= 0 && tree.flags[node] & INLINED ? ' (inlined)' : ''));
			if (node >= 0 && data.kind === 'changes')
				parts.push(element('p', {}, this.describeChange(node)));
			else if (node >= 0)
				parts.push(element('p', {}, `${data.weight(tree.total[node])}, ${data.share(tree.total[node])}; ` +
					`of its own ${data.weight(tree.self[node])}, ${data.share(tree.self[node])}`));
			parts.push(...this.describeFunction(name));
		}
		document.querySelector('#details').replaceChildren(...parts);
	}

	describeChange(node) {
		const { tree, data } = this, net = tree.net[node], total = tree.total[node];
		return data.signed(net) + ' bytes' + (Math.abs(net) === total ? ''
			: `: ${data.signed((total + net) / 2)} and ${data.signed((net - total) / 2)}`);
	}

	describeFunction(name) {
		const { data } = this, parts = [];
		if (name < 0)
			return parts;
		const row = data.functions[name], place = data.placeOf(name), hosts = row[row.length - 2], hostCount = row[row.length - 1];
		if (place)
			parts.push(element('p', {}, element('code', {}, place),
				element('button', { onclick: () => copy(place) }, 'Copy')));
		if (data.kind === 'changes')
			parts.push(element('p', {}, `${data.texts[row[6]].replaceAll(',', ', ')}; ` +
				`${this.change('copies', row[7])}; ${this.change('bytes', row[8])}`));
		if (row[3] >= 0)
			parts.push(element('p', {}, data.texts[row[3]]));
		if (Array.isArray(hosts) && hosts.length) {
			const named = [];
			for (let i = 0; i < hosts.length; i += 2)
				named.push(`${data.texts[hosts[i]]} ${data.share(hosts[i + 1])}`);
			parts.push(element('p', {}, 'Inlined into ' + named.join(', ') +
				(hostCount > named.length ? ` and ${hostCount - named.length} more` : '')));
		}
		return parts;
	}
}

async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch { // not allowed to a page that is a file, in some browsers
		const field = element('textarea', { value: text });
		document.body.append(field);
		field.select();
		document.execCommand('copy');
		field.remove();
	}
}

window.page = new Page(new Data(JSON.parse(document.querySelector('#data').textContent)));
