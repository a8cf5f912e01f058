// Programs as users of the package write them: they compile, except where an error is expected.

import {
  BONES, BodyFrame, Client, ConnectError, Figure, Publication, GltfWearer, Skeleton, TRACKED, buildObjects, connect, immersiveMode, nativeProfile, placeObject,
  describeFile, poseObjects, publishBody, readGltfFigure, readPairingCode, redeemInvitation, splitGltf, splitSpine, viewpointOf, type BodyPublisher,
  type Descriptor, type Invitation, type Ticket,
  type ConnectCode, type PublisherState,
} from 'jointcast';

class Bone {
  readonly children: Bone[] = [];
  readonly position = { set(x: number, y: number, z: number): void {} };
  readonly quaternion = { set(x: number, y: number, z: number, w: number): void {} };
  readonly scale = { set(x: number, y: number, z: number): void {} };
  add(child: Bone): void {}
}

const client: Client = connect('ws://127.0.0.1:9871', { space: 'lobby', precision: 'coarse' });
client.on('enter', (body) => {
  const nodes: Bone[] = buildObjects(body.skeleton, () => new Bone());
  const sample = body.sample();
  if (sample) {
    poseObjects(body.skeleton, sample, nodes);
    placeObject(body.skeleton, sample, nodes[0]);
  }
});
client.subscribe({ rate: 2, sections: ['body', 'hips'] });
client.subscribe({ bodies: [1, 2], skeleton: 'humanoid', budget: 20000 });
export function look(camera: { matrixWorld: { elements: number[] }; fov: number; aspect: number }) {
  client.setViewpoints([viewpointOf(camera), { position: [0, 1.6, 0], yaw: 0, fov: 1.2 }]);
  for (const body of client.bodies.values()) {
    if (!body.sent)
      client.ignore(body, false);
  }
}

// Publishers accept the objects of browsers.
const publisher: BodyPublisher = publishBody(client, { name: 'Ada', profile: nativeProfile() });
publisher.on('state', ({ state }) => {
  const known: PublisherState = state;
  console.log(known, publisher.kind, publisher.joints, publisher.traffic.bytes);
});
export async function enter(xr: XRSystem): Promise<XRSession | null> {
  const mode = await immersiveMode(xr);
  return mode && xr.requestSession(mode, { optionalFeatures: ['body-tracking'] });
}
export function animate(session: XRSession | null, frame: XRFrame | undefined,
  space: XRReferenceSpace | null): boolean {
  return publisher.frame(session, frame, space);
}

client.on('moderated', ({ action, until }) => console.log(action, until));
client.moderation.ban([...client.bodies.values()][0], { seconds: 60, reason: 'spam' })
  .then(({ concerned, stored }) => console.log(concerned, stored));
client.moderation.unban({ subject: 'eve' });
client.moderation.block({ avatar: 'a'.repeat(64) }).then(({ avatar }) => avatar);
client.moderation.list().then((all) => all.map(({ kind, until }) => [kind, until]));
const frame = new BodyFrame();
frame.states[0] = TRACKED;
publisher.send(frame);
export async function review(file: string): Promise<string> {
  const replay = await client.replays.open(file, { speed: 0.5, names: { walker: 'Ada' } });
  await client.replays.seek(replay, replay.markers[0]?.time ?? replay.time(client.clock.at(client.now())) + 1);
  client.on('replays', ({ list }) => console.log(list.map(({ file: name, state }) => `${name} ${state}`)));
  await client.replays.playFile(new Uint8Array(), 'walk.bvh');
  return client.replays.rewind(30);
}
const publication = client.publish({ name: BONES[0], kind: 'body-frames', mayRecord: true });
const described: Descriptor = describeFile(new Uint8Array());
client.registerSkeleton('avatar', described).then(({ hash, lint }) =>
  client.subscribe({ skeleton: lint.length > 0 ? 'humanoid' : hash }));
client.registeredSkeletons().then((all) => all.forEach(({ name }) => client.unregisterSkeleton(name)));
const second: Descriptor = describeFile(new Uint8Array(), { index: 1, buffers: (uri) => new ArrayBuffer(uri.length) });
const figure = new Figure(new Skeleton('', second));
for (const index of figure.skeleton.taggedVirtualTransforms('seating')) {
  const { translation: [x], rotation, scale } = figure.virtualTransform(index);
  console.log(figure.skeleton.virtualTransforms[index].name, x, rotation[3], scale[0]);
}
splitSpine(figure.skeleton, figure.rotations);
const { json, binary } = splitGltf(new ArrayBuffer(0));
const wearer = new GltfWearer({}, readGltfFigure(json, { binary }), figure.skeleton);
wearer.wear({ rotations: figure.rotations, hips: [0, 0, 0] });
publication.amend({ display: 'Ada', meta: { team: 'blue' } });
publication.consent({ mayRecord: 'raw' });
publication.place({ position: [0, 0, 1], yaw: 0, seat: null, teleport: true });
if (publication.state === 'open')
  frame.time = client.clock.at(client.now()) + publication.send(frame);

// @ts-expect-error a profile that there is not
publishBody(client, { name: 'Ada', profile: 'vive' });
// @ts-expect-error a body has a name
publishBody(client, {});
// @ts-expect-error read only
publisher.state = 'live';

// Events have details of their type, and bodies that entered have a skeleton.
client.on('enter', (body) => console.log(body.skeleton.name, body.fitting?.fit));
client.on('leave', ({ skeleton }) => skeleton.findNode('head'));
client.on('change', ({ skeleton, seat }) => [skeleton.hipsHeight, seat?.height]);
client.on('error', (error) => {
  if (error instanceof ConnectError) {
    const code: ConnectCode = error.code;
    switch (code) {
    case 'unknown-space':
      return error.spaces.join();
    case 'origin-refused':
    case 'tls':
      return error.remedy;
    }
  }
  return error.message;
});
for (const body of client.bodies.values()) {
  // @ts-expect-error its skeleton may not have arrived
  body.skeleton.name;
  // @ts-expect-error the library writes it
  body.name = 'Ada';
}
// @ts-expect-error no event of that name
client.on('entered', () => {});
client.on('state', ({ state, delay }) => {
  // @ts-expect-error a delay is there only while the client waits
  const wait: number = delay;
  // @ts-expect-error no such state
  return [wait, state === 'open'];
});
client.on('waiting', ([first]) => {
  const line: string = `${first.name}: ${first.source}, ${first.reason}`;
  // @ts-expect-error the list is read only
  client.waiting.push(first);
  return line;
});
// @ts-expect-error a client makes publications
new Publication();
// @ts-expect-error read only
client.clock = null;
// @ts-expect-error outside of the class
client.emit('recording', { recording: true });
// @ts-expect-error no such code
const code: ConnectCode = 'refused';
// @ts-expect-error every second tick is 2
client.subscribe({ rate: 3 });
// @ts-expect-error a kind of capture is needed
client.publish({ name: 'Ada' });
// @ts-expect-error three numbers
publication.place({ position: [0, 0], yaw: 0 });
// @ts-expect-error a target
client.moderation.kick({ seconds: 3 });
// @ts-expect-error internal
figure.skeleton.offsets;

export async function invite(text: string): Promise<Ticket> {
  const { id, code }: Invitation = await client.invitations.create({ role: 'publish', pair: true });
  const [first] = await client.invitations.list();
  if (first?.revoked === false && first.used < first.uses)
    await client.invitations.revoke(id);
  // @ts-expect-error no such role
  client.invitations.create({ role: 'administer' });
  return redeemInvitation('ws://127.0.0.1:9871', { code: readPairingCode(text) ?? code ?? '' });
}
