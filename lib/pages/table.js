// The functions and their numbers, in any order.
class Table {
	static FIRST_NUMBER = 4; // in a row, behind the name, file, line and object
	static STEP = 200; // rows that are shown at first, and then more

	constructor(data, choose) {
		this.data = data;
		this.choose = choose;
		this.order = data.functions.map((_, i) => i);
		this.column = -1; // as they came
		this.shown = Table.STEP;
		this.head = document.querySelector('#table thead');
		this.body = document.querySelector('#table tbody');
		this.more = document.querySelector('#more');
		this.more.onclick = () => {
			this.shown += 10 * Table.STEP;
			this.draw();
		};
		this.drawHead();
	}

	drawHead() {
		const row = element('tr');
		[this.data.name ?? 'Function', ...this.data.columns.map((column) => column.title)].forEach((title, i) => {
			const isText = i > 0 && this.data.columns[i - 1].isText;
			const cell = element('th', { className: isText ? 'text' : '' }, element('button', {
				title: 'Sort', onclick: () => this.sort(i) }, title));
			if (i === 0 ? this.column === 0 : this.column === i)
				cell.setAttribute('aria-sort', this.rising ? 'ascending' : 'descending');
			row.append(cell);
		});
		this.head.replaceChildren(row);
	}

	sort(column) {
		const isText = column === 0 || this.data.columns[column - 1].isText;
		this.rising = column === this.column ? !this.rising : isText;
		this.column = column;
		const sign = this.rising ? 1 : -1, rows = this.data.functions;
		const at = Table.FIRST_NUMBER + column - 1; // what is not known comes last
		const value = (i) => rows[i][at] ?? (sign < 0 ? -Infinity : Infinity);
		const text = (i) => column === 0 ? this.data.nameOf(i) : this.data.texts[rows[i][at]];
		this.order.sort((a, b) => sign * (isText
			? (text(a) < text(b) ? -1 : Number(text(a) > text(b))) : value(a) - value(b)) || a - b);
		this.drawHead();
		this.draw();
	}

	format(column, number) {
		if (number === null)
			return '';
		return column.isText ? this.data.texts[number].replaceAll(',', ', ')
			: column.isShare ? this.data.share(number)
				: column.isSigned ? this.data.signed(number) : grouped(number);
	}

	draw(matches = this.matches, chosen = this.chosen) {
		this.matches = matches;
		this.chosen = chosen;
		const shown = this.order.filter((i) => !matches || matches(this.data.nameOf(i)));
		const rows = shown.slice(0, this.shown).map((i) => {
			const row = element('tr', { className: i === chosen ? 'chosen' : '' });
			row.append(element('td', {}, element('button', { onclick: () => this.choose(i),
				title: this.data.placeOf(i) }, this.data.nameOf(i))));
			this.data.columns.forEach((column, j) => {
				const number = this.data.functions[i][Table.FIRST_NUMBER + j];
				row.append(element('td', { title: column.isShare ? this.data.weight(number) : '',
					className: column.isText ? 'text' : '' }, this.format(column, number)));
			});
			return row;
		});
		this.body.replaceChildren(...rows);
		this.more.hidden = shown.length <= this.shown;
		this.more.textContent = (shown.length - this.shown) + ' more';
	}
}

function element(tag, properties = {}, ...children) {
	const made = Object.assign(document.createElement(tag), properties);
	made.append(...children);
	return made;
}
