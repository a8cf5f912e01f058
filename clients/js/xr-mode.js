// The mode of a WebXR session that can track a body.

/** WebXR Body Tracking, "Privacy & Security Considerations": these modes only; in order of preference. */
const MODES = ['immersive-vr', 'immersive-ar'];

/**
 * Tests which immersive sessions the browser supports.
 *
 * @param {object} [xr] navigator.xr
 * @returns {Promise<'immersive-vr' | 'immersive-ar' | null>} VR, or AR where VR is not supported;
 *   null where neither is
 */
export async function immersiveMode(xr = globalThis.navigator?.xr) {
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
