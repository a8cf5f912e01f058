// All texts of both pages in one table. Elements name a text: data-text for their content,
// data-title, data-label (aria-label), data-placeholder and data-description for attributes.

/** Language of the table: BCP 47 tag and direction of writing. */
export const LANGUAGE = { lang: 'en', dir: 'ltr' };

/** By key; `{name}` is a value of `text`, or the child element with data-slot="name". */
export const TEXTS = {
  // Both pages
  'page.script': 'This page needs JavaScript and WebGL. Please enable both.',
  'page.webgl': 'This page needs WebGL 2, which is missing or disabled in this browser.',
  'error.remedy': '{message}. {remedy}',
  'state.connecting': 'connecting',
  'state.joining': 'joining',
  'state.offline': 'offline',
  'state.reconnecting': 'offline, reconnecting',
  'unknown': '–',
  'unit.bytes': 'B',
  'unit.kilobytes': 'kB/s',
  'unit.hertz': 'Hz',
  'unit.milliseconds': 'ms',
  'unit.percent': '%',
  'unit.pictures': 'fps',
  'unit.second': '/s',
  'close': 'Close',

  // Viewer: page and statistics
  'viewer.title': 'jointcast',
  'viewer.name': 'jointcast',
  'viewer.description': 'Live human motion from a jointcast daemon',
  'viewer.view': 'Live bodies in a room. Arrow keys turn the camera, plus and minus zoom, question mark lists all keys.',
  'bodies.label': 'Bodies',
  'bodies.waiting': 'Sources without a body',
  'bodies.choose': 'Choose; double click to move there',
  'body.unnamed': 'body {id}',
  'body.any': 'a body',
  'waiting.source': 'waiting for {source}',
  'waiting.reason': 'waiting for {source}: {reason}',
  'readout.label': 'Stream',
  'readout.bodies': 'bodies',
  'readout.bundles': 'bundles',
  'readout.frame': 'frame',
  'readout.frame.title': 'Bytes of one body in one bundle',
  'readout.latency': 'latency',
  'readout.latency.title': 'Time from the capture of the motion to its display, including the interpolation buffer',
  'readout.loss': 'loss',
  'readout.screen': 'screen',
  'banner.connecting': 'Connecting to the daemon…',
  'banner.joining': 'Joining the space…',
  'banner.lost': 'The connection is lost. Reconnecting…',
  'banner.closed': 'Not connected. Reload the page to try again.',
  'banner.shut': '{space}: {message}',

  // Viewer: tools
  'tools.label': 'Tools',
  'tools.wear': 'Wear an avatar…',
  'tools.wear.title': 'Show the chosen body with an avatar (V), or drop a file on the page: VRM, or glTF with EXT_skeleton_humanoid',
  'tools.unwear': 'Take off',
  'tools.unwear.title': 'Take the avatar off (X)',
  'tools.precision': 'Precision',
  'tools.precision.title': 'Maximum error of received rotations',
  'tools.fine': 'Fine, 0.06°',
  'tools.standard': 'Standard, 0.25°',
  'tools.coarse': 'Coarse, 1°',
  'tools.virtuals': 'Virtual transforms',
  'tools.virtuals.title': 'Show virtual transforms of figures and props: points for tools, seats, signs (T)',
  'tools.virtuals.none': 'No points',
  'tools.virtuals.all': 'All points',
  'tools.publish': 'Publish…',
  'tools.publish.title': 'Publish your own body from a headset',
  'tools.recordings': 'Recordings…',
  'tools.recordings.title': 'Play a recording in this space (O)',
  'tools.frame': 'Show all',
  'tools.frame.title': 'Show all bodies (F)',
  'tools.keys': 'Keys',
  'tools.keys.title': 'Keys (?)',

  // Viewer: avatars
  'drop.text': 'Drop an avatar: {body} wears it. Drop a motion: it plays for you alone.',
  'avatar.nobody': 'There is no body to wear it yet.',
  'avatar.reading': 'Reading {file}…',
  'avatar.worn': '{name} wears {file}. X takes it off.',
  'avatar.first': '{name} wears the first of {count} humanoids in {file}. X takes it off.',
  'avatar.failed': '{name} is shown without avatar: {reason}',
  'avatar.local': '{name} wears {file}, retargeted by this page: {message}',

  // Viewer: motions of the visitor
  'motion.sending': 'Sending {file} to the daemon…',
  'motion.refused': '{file}: {reason}',

  // Viewer: replays and recordings
  'replays.label': 'Replays',
  'replay.speed': 'Speed',
  'replay.times': '×{speed}',
  'replay.loop': 'Loop',
  'replay.loop.title': 'Repeat',
  'replay.end': '×',
  'replay.end.title': 'End this replay',
  'replay.play': 'Play',
  'replay.play.title': 'Play (K)',
  'replay.play.sign': '▶',
  'replay.pause': 'Pause',
  'replay.pause.title': 'Pause (K)',
  'replay.pause.sign': '❚❚',
  'replay.time': 'Time in {file}',
  'replay.marker': 'Go to {marker}, {time}',
  'replay.marker.title': '{time} {marker}',
  'replay.position': '{time} / {duration}',
  'rewind.back': '−{seconds} s',
  'rewind.back.title': 'Show the last {seconds} seconds',
  'rewind.live': 'Live',
  'rewind.live.title': 'Back to {space}, live',
  'recordings.title': 'Recordings',
  'recordings.empty': 'No recordings yet.',
  'recordings.about': '{date}, {size} MB',
  'recordings.about.space': 'of {space}, {date}, {size} MB',

  // Viewer: dialogs
  'keys.title': 'Keys and gestures',
  'keys.drag': 'drag · one finger',
  'keys.wheel': 'wheel · pinch',
  'keys.right': 'right drag · two fingers',
  'keys.click': 'click',
  'keys.double': 'double click',
  'keys.enter': 'Enter',
  'keys.escape': 'Esc',
  'keys.turn': 'turn the camera',
  'keys.zoom': 'zoom',
  'keys.move': 'move sideways',
  'keys.choose': 'choose a body',
  'keys.follow': 'move to a body and follow it',
  'keys.step': 'choose the next, the previous body',
  'keys.focus': 'move to the chosen body',
  'keys.all': 'show all bodies',
  'keys.wear': 'wear an avatar from a file',
  'keys.unwear': 'take the avatar off',
  'keys.labels': 'labels on and off',
  'keys.virtuals': 'show the next kind of virtual transforms',
  'keys.replay': 'play and pause a recording, 5 s back',
  'keys.recordings': 'play a recording',
  'keys.markers': 'previous, next marker',
  'keys.cancel': 'cancel the choice',

  // Publishing page
  'publish.title': 'jointcast: publish your body',
  'publish.description': 'Show your tracked body to a space of a jointcast daemon',
  'publish.heading': 'Publish your body',
  'publish.viewer': 'Viewer',
  'mirror.label': 'Mirror',
  'mirror.view': 'Your body as others receive it, seen as in a mirror.',
  'mirror.off': 'Your body appears here as others receive it.',
  'mirror.rest': 'Your avatar. It moves when you enter or start the demo body.',
  'mirror.own': 'You with your avatar, in a mirror. Others receive a mannequin.',
  'mirror.on': 'You, as others receive you, in a mirror.',
  'who.name': 'Name',
  'who.guest': 'guest',
  'who.space': 'Space',
  'who.name.why': 'Stop before you change the name.',
  'avatar.own.title': 'Your avatar',
  'avatar.own.none': 'A mannequin. Choose a VRM or a glTF figure, or drop it on this page; the file stays in the page.',
  'avatar.own.reading': 'Reading the file…',
  'avatar.own.local': '{file}. Viewers see a mannequin with its proportions; the file stays in this page.',
  'avatar.own.sending': 'Sending {file}…',
  'avatar.own.shared': '{file}. Viewers see it. The daemon deletes the file on {expires}, or when you take it back.',
  'avatar.own.choose': 'Choose a file…',
  'avatar.own.another': 'Another file…',
  'avatar.own.remove': 'Take off',
  'avatar.own.share': 'Send to viewers…',
  'avatar.own.withdraw': 'Take the file back',
  'avatar.own.drop': 'Drop an avatar: the mirror shows you with it',
  'avatar.own.lost': 'The daemon no longer shows your avatar to viewers.',
  'avatar.own.local.only': 'The daemon does not know the skeleton of {file}, so this page retargets: {message}',
  'avatar.obstacle.connection': 'Viewers cannot get the file: the page is not connected.',
  'avatar.obstacle.refused': 'Viewers cannot get the file: this daemon accepts no avatars.',
  'avatar.obstacle.size': 'Viewers cannot get the file: it has {size} MB, this daemon accepts at most {most} MB.',
  'avatar.obstacle.caps': 'Viewers cannot get the file: {reason}',
  'sharing.title': 'Send your avatar to viewers?',
  'sharing.about': 'The daemon gets {file}, {size} MB, and gives it to everyone who may watch a space where you wear it. They can keep it. You can take the file back at any time.',
  'sharing.terms': 'What the file says',
  'sharing.unstated': 'The file names neither an author nor a licence.',
  'sharing.rights': 'Your rights',
  'rights.author': 'I made it, or I hold all rights',
  'rights.licensed': 'Its author permits me to show it and to send it to viewers',
  'rights.public': 'Its licence permits that to everyone',
  'sharing.licence': 'Licence',
  'sharing.licence.hint': 'SPDX identifier or a name',
  'sharing.missing.rights': 'Choose one of the three statements about your rights.',
  'sharing.missing.licence': 'Name the licence of the file.',
  'sharing.missing.length': 'The name of the licence is longer than 63 bytes.',
  'sharing.send': 'Send to viewers',
  'sharing.cancel': 'Keep the file here',
  'terms.title': 'title',
  'terms.author': 'author',
  'terms.licence': 'licence',
  'terms.permission': 'may be used by',
  'terms.permission.onlyAuthor': 'only the author',
  'terms.permission.licensed': 'persons with a licence of their own',
  'terms.permission.everyone': 'everyone',
  'terms.redistribution': 'redistribution',
  'terms.redistribution.true': 'permitted',
  'terms.redistribution.false': 'not permitted',
  'terms.modification': 'modification',
  'terms.modification.prohibited': 'not permitted',
  'terms.modification.allowed': 'permitted',
  'terms.modification.redistributed': 'permitted, with redistribution',
  'terms.contradiction.onlyAuthor': 'The file permits its use to the author only.',
  'terms.contradiction.notEveryone': 'The file permits its use only to persons with a licence of their own.',
  'terms.contradiction.noRedistribution': 'The file does not permit its redistribution.',
  'consent.title': 'What may happen with your motion',
  'consent.show': 'Show my body to the room',
  'consent.show.about': 'All people in the space see your motion. None is sent before you switch this on; switching it off stops sending at once.',
  'consent.record': 'My motion may be recorded',
  'consent.record.about': 'The operator may store your motion. Motion can identify a person.',
  'consent.rebroadcast': 'My motion may be passed on',
  'consent.rebroadcast.about': 'To other spaces, servers and programs.',
  'consent.why': 'These need the first switch.',
  'start.why': 'First switch on “Show my body to the room”.',
  'start.vr': 'Enter VR',
  'start.ar': 'Enter AR',
  'start.demo': 'Demo body',
  'start.pause': 'Pause',
  'start.resume': 'Resume',
  'start.stop': 'Stop',
  'figures.label': 'Statistics',
  'figures.state': 'state',
  'figures.tracked': 'tracked',
  'figures.frames': 'frames',
  'figures.sent': 'sent',
  'figures.dropped': 'dropped',
  'figures.dropped.title': 'Frames that were dropped because the connection was slow',
  'figures.trip': 'round trip',
  'figures.joints': '{count} · {kind}',
  'tracked.body': 'body',
  'tracked.hands': 'hands',
  'tracked.devices': 'head, controllers',
  'tracked.demo': 'demo',
  'published.idle': 'off',
  'published.waiting': 'waiting',
  'published.live': 'live',
  'published.untracked': 'not tracked',
  'published.paused': 'paused',
  'published.hidden': 'headset off',
  'published.refused': 'refused',
  'published.closed': 'off',
  'headset.title': 'From a headset',
  'headset.secure': 'Browsers permit WebXR only on secure pages: {https}, or {localhost}. Over the network, the daemon needs TLS, its own ({listen}, with {certificate} for tests) or that of a proxy, and keys.',
  'headset.usb': 'Over USB it needs neither: allow debugging on the headset, run {adb} here, and open {address} in its browser.',
  'headset.tracking': 'Browsers with WebXR Body Tracking, such as Meta Quest Browser, deliver the whole body. Others deliver hands, or head and controllers; the daemon then estimates the missing joints.',
  'headset.insecure': 'Browsers permit a headset only on secure pages; this page uses plain http from another machine. The demo body works.',
  'headset.none': 'This browser has no WebXR. The demo body shows an example.',
  'headset.asks': 'The browser also asks for access to your body and hands.',
  'headset.absent': 'This browser offers neither VR nor AR: no headset is connected. The demo body shows an example.',
  'moderated': 'Action of a moderator: {action}.',
  'moderated.reason': 'Action of a moderator: {action}, {reason}.',
  'sign.shown': 'Shown to {space}',
  'sign.about': '{joints} joints, {rate} times a second. End the session to stop.',
  'demo.differs': 'the joints of the demo body differ from this version',
  'demo.unloaded': 'the demo body cannot be loaded: {url}, {status}',

  // Both pages: the door, and guests with an invitation
  'door.title': 'This daemon requires a token',
  'door.enter': 'Enter',
  'door.token': 'Token',
  'door.code': 'Code',
  'door.code.form': 'XX-XXXX-XXXX',
  'door.refused': 'The daemon refused the token: {message}.',
  'door.other.code': 'I have a code',
  'door.other.token': 'I have a token',
  'door.without': 'Continue without a token',
  'ticket.gone': 'This link is not valid: it was used up, has expired or was revoked. Ask the person who sent it for a new one.',
  'ticket.gone.code': 'This code is not valid: a code works once and for two minutes. Check it, or ask for a new one.',
  'ticket.many': 'Too many attempts. Wait a minute, then try again.',
  'ticket.unknown': 'This daemon has no invitations. Ask its operator for a token.',
  'ticket.insecure': 'Invitations work only on secure pages. Open the link with https.',
  'ticket.form': 'A code has 10 characters: XX-XXXX-XXXX.',
  'ticket.failed': 'The invitation could not be used: {message}. Try the link again later.',
  'ticket.expired': 'Your invitation has expired. Ask for a new link or code.',
  'ticket.revoked': 'Your invitation was revoked. Ask for a new link or code.',

  // Viewer: invitations by moderators
  'invite.open': 'Invite…',
  'invite.open.title': 'Invite people by a link or a code',
  'invite.title': 'Invite to {space}',
  'invite.role': 'Guests may',
  'invite.watch': 'watch',
  'invite.publish': 'publish a body',
  'invite.expires': 'For',
  'invite.uses': 'Guests',
  'invite.note': 'Note',
  'invite.note.hint': 'for the list',
  'invite.link': 'Create link',
  'invite.code': 'Create code',
  'invite.code.about': 'A code is for one guest, such as one with a headset, and works for two minutes.',
  'invite.url': 'Link',
  'invite.copy': 'Copy',
  'invite.copied': 'Copied',
  'invite.once': 'The link is shown only now. Each person who has it can use it.',
  'invite.local': 'The link works only on this machine: open this page by a name that guests can reach.',
  'invite.qr': 'QR code of the link',
  'invite.code.where': 'Open {address} and choose “I have a code”.',
  'invite.code.left': '{time} left',
  'invite.code.used': 'The code was used.',
  'invite.code.over': 'The code has expired.',
  'invite.list': 'Invitations',
  'invite.empty': 'No invitations.',
  'invite.item': '{role}, {used} of {uses} used, until {date}, by {by}',
  'invite.revoke': 'Revoke',
  'invite.revoke.title': 'Revoke this invitation and end the connections of its guests',
  'invite.revoked': 'revoked',
  'invite.expired': 'expired',
  'invite.spent': 'used up',
};

/** Characters that change the direction of the text around them. */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A value inside a text: a name of the other direction does not reorder the words around it. */
function isolate(value) {
  const plain = String(value).replace(CONTROLS, '');
  return LANGUAGE.dir === 'rtl' || RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/**
 * @param {string} key of the table
 * @param {Record<string, string | number>} [values] of the names in braces
 * @throws {Error} if the table has no such text
 */
export function text(key, values = {}) {
  if (!Object.hasOwn(TEXTS, key))
    throw new Error(key);
  return TEXTS[key].replace(/\{(\w+)\}/g, (slot, name) => (name in values ? isolate(values[name]) : slot));
}

/** Attributes that have texts, by the property of `dataset` that names the text. */
const ATTRIBUTES = { title: 'title', label: 'aria-label', placeholder: 'placeholder', description: 'content' };

/** Writes a text around the child elements that fill its slots. */
function write(element) {
  const slots = new Map([...element.querySelectorAll('[data-slot]')].map((child) => [child.dataset.slot, child]));
  element.replaceChildren(...text(element.dataset.text).split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 ? slots.get(part) : part)));
}

/** Fills all elements below a part of the page that name texts. */
export function fill(part) {
  part.querySelectorAll('[data-text]').forEach(write);
  for (const [property, attribute] of Object.entries(ATTRIBUTES))
    for (const element of part.querySelectorAll(`[data-${property}]`))
      element.setAttribute(attribute, text(element.dataset[property]));
}

/** Fills all elements of the page that name texts. */
export function fillPage() {
  Object.assign(document.documentElement, LANGUAGE);
  fill(document);
}
