// The terms of use in the file of an avatar: the meta of a VRM, the copyright of a glTF; and the
// declarations of rights that contradict them (proto/AVATARS.md). Uses no DOM.

const LICENCE_BYTES = 63;

/** Licence names of VRM 0.x and their SPDX identifiers. */
const SPDX = {
  CC0: 'CC0-1.0', CC_BY: 'CC-BY-4.0', CC_BY_NC: 'CC-BY-NC-4.0', CC_BY_SA: 'CC-BY-SA-4.0',
  CC_BY_NC_SA: 'CC-BY-NC-SA-4.0', CC_BY_ND: 'CC-BY-ND-4.0', CC_BY_NC_ND: 'CC-BY-NC-ND-4.0',
};
/** The licence that VRM 1.0 names by default; SPDX has no identifier for it. */
const VRM = 'VRM-1.0';
const VRM_LICENCE = /^https:\/\/vrm\.dev\/licenses\/1\.0\/?/;

/** Licences that are proposed. */
export const LICENCES = [...Object.values(SPDX), VRM];

const PERMISSION = {
  OnlyAuthor: 'onlyAuthor', ExplicitlyLicensedPerson: 'onlySeparatelyLicensedPerson', Everyone: 'everyone',
};

const line = (value) => (typeof value === 'string' ? value.replace(/\p{Cc}+/gu, ' ').trim() : '');

/** A text of at most the bytes that the daemon accepts, else ''. */
function fitting(licence) {
  return new TextEncoder().encode(licence).length <= LICENCE_BYTES ? licence : '';
}

function ofVrm1(meta) {
  const url = line(meta.otherLicenseUrl) || line(meta.licenseUrl);
  return {
    title: line(meta.name),
    authors: (Array.isArray(meta.authors) ? meta.authors : []).map(line).filter(Boolean),
    permission: ['onlySeparatelyLicensedPerson', 'everyone'].find((one) => one === meta.avatarPermission)
      ?? 'onlyAuthor',
    mayRedistribute: meta.allowRedistribution === true,
    licence: fitting(VRM_LICENCE.test(url) ? VRM : url),
    statement: url,
  };
}

function ofVrm0(meta) {
  const name = line(meta.licenseName);
  const url = line(meta.otherLicenseUrl);
  return {
    title: line(meta.title),
    authors: [line(meta.author)].filter(Boolean),
    permission: PERMISSION[meta.allowedUserName] ?? 'onlyAuthor',
    mayRedistribute: name !== '' && name !== 'Redistribution_Prohibited',
    licence: fitting(SPDX[name] ?? (name === 'Other' ? url : '')),
    statement: url || name,
  };
}

/** A plain glTF states no permission; some tools write author and licence into its extras. */
function ofGltf({ copyright, extras }) {
  const { title, author, license } = typeof extras === 'object' && extras !== null ? extras : {};
  return {
    title: line(title),
    authors: [line(author)].filter(Boolean),
    permission: null,
    mayRedistribute: null,
    licence: fitting(line(license)),
    statement: line(license) || line(copyright),
  };
}

/**
 * @param {object} json of the glTF document
 * @returns {{title: string, authors: string[], permission: string | null, mayRedistribute: boolean | null,
 *   licence: string, statement: string}} permission and mayRedistribute: null if the file states none;
 *   licence: to propose; statement: the licence as the file names it
 */
export function readTerms(json) {
  const { VRMC_vrm: v1, VRM: v0 } = json.extensions ?? {};
  return v1 ? ofVrm1(v1.meta ?? {}) : v0 ? ofVrm0(v0.meta ?? {}) : ofGltf(json.asset ?? {});
}

/**
 * Why a declaration of rights contradicts the file; null if it does not.
 *
 * @param {object} terms of readTerms
 * @param {'author' | 'licensed' | 'public'} rights
 * @returns {'onlyAuthor' | 'notEveryone' | 'noRedistribution' | null}
 */
export function contradiction({ permission, mayRedistribute }, rights) {
  if (permission === null || rights === 'author')
    return null;
  if (permission === 'onlyAuthor')
    return 'onlyAuthor';
  if (rights === 'licensed')
    return null;
  return permission !== 'everyone' ? 'notEveryone' : mayRedistribute ? null : 'noRedistribution';
}
