// Prints once a second where the heads of all bodies are, in metres.
//
// usage: node print-heads.mjs [URL [SPACE]]     default: ws://127.0.0.1:9871 lobby
//        Before: npm install PATH/clients/js ws
import WebSocket from 'ws';
import { BONES, Figure, connect } from 'jointcast';

const [url = 'ws://127.0.0.1:9871', space = 'lobby'] = process.argv.slice(2);
const figures = new Map(); // by body

// All bodies on the built-in skeleton, which has every bone.
const client = connect(url, { WebSocket, space, skeleton: 'humanoid' })
  .on('enter', (body) => figures.set(body, new Figure(body.skeleton)))
  .on('leave', (body) => figures.delete(body))
  .on('error', (error) => console.error([error.message, error.remedy].filter(Boolean).join('. ')));

setInterval(() => {
  for (const [body, figure] of figures) {
    const sample = body.sample();
    const head = body.skeleton.bones[BONES.indexOf('head')];
    if (!sample)
      continue; // nothing has arrived yet
    const [x, y, z] = figure.pose(sample).position(head, []);
    // From model space into the space: turned by the yaw about +Y, then moved.
    const [sin, cos] = [Math.sin(sample.yaw), Math.cos(sample.yaw)];
    console.log(JSON.stringify({ name: body.name, head: [x * cos + z * sin + sample.position[0],
      y + sample.position[1], z * cos - x * sin + sample.position[2]] }));
  }
}, 1000);

process.on('SIGINT', () => {
  client.close();
  process.exit();
});
