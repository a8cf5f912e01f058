// Writes the corpus of fuzz_succession: a standby (S), an origin (O) and one with a default lobby (D)
// among other origins.
//
// usage: make_succession_corpus.mjs FOLDER

import { writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.argv[2];
const json = JSON.stringify;
const write = (name, kind, ...lines) => writeFileSync(path.join(folder, name), kind + lines.map((line) => `${line}\n`).join(''));

// Of a time of 0 to 63 tenths of a second.
const tenths = (count, isHeard = true) => (isHeard ? '.' : ',') + String.fromCharCode(64 + count);
const repeat = (count, ...lines) => Array.from({ length: count }, () => lines).flat();
const sanction = (who, since, until) => ({ space: 'lobby', kind: 'ban', who: `subject ${who}`, by: 'subject mia', reason: 'rude', since, ...until !== undefined && { until } });
const answer = (sanctions, ended) => json({ sanctions, ended, guests: null });
const NOW = 1800000000; // the clock of the target begins there

write('takeover', 'S', ...repeat(10, 'aa1>b', tenths(5)), 'la1', tenths(3), 'm0e', 'ue', 'm0e', 'aa2>b', tenths(3), `q${answer([], [])}`, tenths(10));
write('silence', 'S', ...repeat(10, 'aa1>b', tenths(5)), tenths(20), 'aa1<b', tenths(20));
write('deaf', 'S', ...repeat(9, 'aa1>b', tenths(5)), tenths(30, false), tenths(60));
write('beaten', 'O', tenths(45), ...repeat(3, 'aa1>b', tenths(5)), tenths(40, false), ...repeat(2, 'aa1>b', tenths(5)), tenths(60));
write('alone', 'S', tenths(50));
write('two', 'S', ...repeat(4, 'aa1>l', 'az2>h', tenths(5)), 'la1', ...repeat(6, 'az2>h', tenths(5)), 'ab3=l', tenths(30));
write('lost', 'S', ...repeat(9, 'aa1>b', tenths(5)), 'x', tenths(30), 'c', 'aa1>b', tenths(5), tenths(60));
write('questions', 'S', ...repeat(4, 'aa1>b', tenths(5)), `q${answer([sanction('eve', NOW - 9)], [{ ...sanction('bob', NOW - 5, 0), by: '', reason: '' }])}`,
	'm0c', 'ue', ...repeat(2, 'aa1>b', tenths(5)), `q${answer([sanction('bob', NOW - 9)], [])}`, 'q', tenths(5), 'q{', 'aa1>l', tenths(5), 'q{"sanctions":[{}]}');
write('origin', 'O', tenths(50), 'aa1<b', tenths(5), 'aa1>b', tenths(20), tenths(20), 'am2=l', 'az2=l', tenths(40));
write('returns', 'O', tenths(5), 'm0a', 'm5b', `s${json({ space: 'lobby', sanctions: [sanction('eve', NOW + 1), sanction('a', NOW - 50)], ended: [sanction('b', NOW + 5, 0)] })}`,
	`s${json({ space: 'hall', sanctions: [sanction('x', NOW)] })}`, `s${json({ space: 'attic', sanctions: [] })}`, 's{', tenths(60));
write('default', 'D', tenths(10), 'aa1\x01l', tenths(20), 'aa1>l', tenths(20), tenths(20));
write('raw', 'O', `r${json({ origin: 'far', incarnation: 'ab', spaces: [{ space: 'lobby', epoch: 'ffffffffffffffff', revision: 3 }] })}`, tenths(30),
	`r${json({ origin: 'm', incarnation: '0f', spaces: [] })}`, 'r{}', `r${json({ origin: 'far', incarnation: 'ab', spaces: [], leaving: true })}`, tenths(50));
