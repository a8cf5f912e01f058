// Pictures of processor time for the scripts that measure how cost grows: panels beside each other,
// points and lines by least squares.

const WIDE = 300;
const HIGH = 190;
const LEFT = 44;
const TOP = 46;
const COLOURS = ['#c2410c', '#1d4ed8', '#15803d'];

/** y = a + b x by least squares, with the share of the variance that it explains. */
export function fit(x, y) {
	const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
	const [mx, my] = [mean(x), mean(y)];
	const dot = (a, ma, b, mb) => a.reduce((sum, value, i) => sum + (value - ma) * (b[i] - mb), 0);
	const b = dot(x, mx, y, my) / dot(x, mx, x, mx);
	const a = my - b * mx;
	const off = y.reduce((sum, value, i) => sum + (value - a - b * x[i]) ** 2, 0);
	return { a, b, r2: 1 - off / dot(y, my, y, my) };
}

const number = (value) => Number(value.toFixed(2));

function drawPanel({ title, note, x, series }, at) {
	const far = x.at(-1);
	const greatest = Math.max(...series.flatMap(({ y }) => y));
	const step = [1, 2, 5, 10, 20].find((each) => each * 5 >= greatest) ?? 50;
	const most = Math.ceil(greatest / step) * step;
	const px = (value) => number(LEFT + (value / far) * (WIDE - LEFT - 16));
	const py = (value) => number(TOP + HIGH - (value / most) * HIGH);
	const lines = [];
	for (let share = 0; share <= most; share += step)
		lines.push(`<line x1="${LEFT}" x2="${WIDE - 16}" y1="${py(share)}" y2="${py(share)}" class="grid"/>`,
			`<text x="${LEFT - 6}" y="${py(share) + 4}" class="right">${share} %</text>`);
	for (const value of x.filter((each, i) => i === 0 ? each > far / 8 : true))
		lines.push(`<text x="${px(value)}" y="${TOP + HIGH + 16}" class="middle">${value}</text>`);
	lines.push(`<text x="${LEFT}" y="18" class="title">${title}</text>`, `<text x="${LEFT}" y="34">${note}</text>`);
	for (const [i, { name, y, fit: { a, b } }] of series.entries()) {
		const colour = COLOURS[series.length > 1 ? i : 0];
		lines.push(`<line x1="${px(0)}" y1="${py(Math.max(a, 0))}" x2="${px(far)}" y2="${py(a + b * far)}" stroke="${colour}" stroke-opacity="0.45"/>`,
			...y.map((share, k) => `<circle cx="${px(x[k])}" cy="${py(share)}" r="3" fill="${colour}"/>`),
			`<text x="${LEFT + 8}" y="${TOP + 14 + 15 * i}" fill="${colour}">${name}</text>`);
	}
	return `<g transform="translate(${at * WIDE} 0)">\n${lines.join('\n')}\n</g>`;
}

/**
 * @param {{ title: string, note: string, x: number[], series: { name: string, y: number[],
 *   fit: { a: number, b: number } }[] }[]} panels y in per cent of a core
 */
export function draw(panels, title, caption) {
	const [width, height] = [WIDE * panels.length, TOP + HIGH + 46];
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title>
<style>text{font:11px system-ui,sans-serif;fill:#444}${COLOURS.map((colour) => `text[fill="${colour}"]{fill:${colour}}`).join('')}.title{font-weight:600;font-size:13px;fill:#111}.right{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#ddd}</style>
<rect width="100%" height="100%" fill="#fff"/>
${panels.map((panel, i) => drawPanel(panel, i)).join('\n')}
<text x="${LEFT}" y="${height - 8}">${caption}</text>
</svg>
`;
}
