/** Splits a .glb or .gltf file into its document and its binary chunk; throws ProtocolError. */
export declare function splitGltf(file: ArrayBuffer | Uint8Array): { json: any; binary: Uint8Array | null };
