// The terms of use in the file of an avatar, of which a VRM states more than other files: a licence to
// propose, and the declarations of rights that contradict the terms (proto/AVATARS.md). Uses no DOM.

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

/** Whether the daemon accepts a text as the name of a licence. */
export const isLicence = (text) => text !== '' && new TextEncoder().encode(text).length <= LICENCE_BYTES;

/** The licence in the file as the daemon accepts it, else ''. @param {import('jointcast').AvatarFacts} facts */
export function licenceOf({ format, licence }) {
  const found = format === 'vrm0' ? SPDX[licence] ?? licence.replace(/^Other: /, '')
    : VRM_LICENCE.test(licence) ? VRM : licence;
  return isLicence(found) && found !== 'Redistribution_Prohibited' ? found : '';
}

/**
 * Why a declaration of rights contradicts the file; null if it does not.
 *
 * @param {import('jointcast').AvatarFacts} facts of checkAvatar
 * @param {'author' | 'licensed' | 'public'} rights
 * @returns {'onlyAuthor' | 'notEveryone' | 'noRedistribution' | null}
 */
export function contradiction({ permission, mayRedistribute }, rights) {
  if (permission === 'unstated' || rights === 'author')
    return null;
  if (permission === 'onlyAuthor')
    return 'onlyAuthor';
  if (rights === 'licensed')
    return null;
  return permission !== 'everyone' ? 'notEveryone' : mayRedistribute ? null : 'noRedistribution';
}
