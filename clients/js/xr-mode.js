// The mode of a WebXR session that can track a body.

/** @typedef {'immersive-vr' | 'immersive-ar'} ImmersiveMode */

// WebXR Body Tracking, "Privacy & Security Considerations": these modes only; by preference.
const MODES = /** @type {ImmersiveMode[]} */ (['immersive-vr', 'immersive-ar']);

/**
 * The mode for a session that tracks a body.
 *
 * @param {{ isSessionSupported(mode: ImmersiveMode): Promise<boolean> }} [xr] default: navigator.xr
 * @returns {Promise<ImmersiveMode | null>} VR, or AR where the browser does not support VR; null
 *   where it supports neither
 */
export async function immersiveMode(xr = /** @type {any} */ (globalThis.navigator)?.xr) {
  // A test rejects where the page may not use the mode, for example in a frame.
  const supported = await Promise.all(MODES.map(async (mode) => {
    try {
      return Boolean(await xr?.isSessionSupported(mode));
    } catch {
      return false;
    }
  }));
  return MODES.find((_, i) => supported[i]) ?? null;
}
