/**
 * The mode for a session that tracks a body: `immersive-vr`, or `immersive-ar` where the browser
 * does not support VR; null where it supports neither. `xr`: `navigator.xr` by default.
 */
export declare function immersiveMode(
  xr?: { isSessionSupported(mode: 'immersive-vr' | 'immersive-ar'): Promise<boolean> }): Promise<'immersive-vr' | 'immersive-ar' | null>;
