// Draws a text as QR code on a canvas. Its encoder is loaded with the first code.

/** Modules of the quiet zone around the code (ISO/IEC 18004, 6.3.8). */
const QUIET = 4;

/** @param {HTMLCanvasElement} canvas @param {string} content */
export async function drawQr(canvas, content) {
  const { correction, generate } = await import('lean-qr');
  generate(content, { minCorrectionLevel: correction.M })
    .toCanvas(canvas, { on: [0, 0, 0], off: [255, 255, 255], padX: QUIET, padY: QUIET });
}
