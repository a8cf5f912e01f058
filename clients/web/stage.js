// The room around the bodies: light, floor, background. One key light casts the shadows; soft
// panels all around, baked once, give the reflections.

import { ACESFilmicToneMapping, BackSide, BoxGeometry, Color, DirectionalLight, HemisphereLight,
  Mesh, MeshBasicMaterial, PCFSoftShadowMap, PMREMGenerator, PlaneGeometry, Scene, ShaderMaterial,
  ShadowMaterial, SphereGeometry, SRGBColorSpace, Vector3, WebGLRenderer } from 'three';

/** Colours of background and floor; `dim`: brightness of the floor away from the lamp. */
const THEMES = {
  dark: { zenith: 0x0a0e16, horizon: 0x222d41, ground: 0x10151f, pool: 0x55627c, line: 0x9db2d6, dim: 0.24 },
  light: { zenith: 0xc3d0e2, horizon: 0xf3f6fb, ground: 0xe3e9f2, pool: 0xfbfcff, line: 0x8c9bb5, dim: 0.82 },
};
const coloursOf = (...names) => Object.fromEntries(names.map((name) => [name, { value: new Color(THEMES.dark[name]) }]));

const FLOOR_RADIUS = 22;

/** Pixels per CSS pixel; more make no visible difference. */
const FINEST = 2;
/** Longer pictures reduce the resolution when their excess times add up to the second value. */
const SLOW_MS = 30;
const PATIENCE_MS = 1200;
const COARSEST = 0.5;

/** Without a graphics processor, antialiasing would halve the frame rate. */
function drawnByProcessor() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software/i.test(name);
}

function makeSky() {
  return new Mesh(new SphereGeometry(1, 32, 24), new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    uniforms: coloursOf('zenith', 'horizon', 'ground'),
    vertexShader: `
      varying vec3 direction;
      void main() {
        direction = position;
        // At maximum depth: drawn last, it costs time only where nothing covers it.
        gl_Position = (projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0)).xyww;
      }`,
    fragmentShader: `
      uniform vec3 zenith, horizon, ground;
      varying vec3 direction;
      void main() {
        float h = normalize(direction).y;
        vec3 sky = mix(horizon, zenith, 1.0 - exp(-5.0 * max(h, 0.0)));
        vec3 colour = mix(sky, ground, smoothstep(0.0, 0.45, -h));
        // Noise hides the bands of a dark gradient.
        float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
        gl_FragColor = vec4(colour + (noise - 0.5) / 512.0, 1.0);
        #include <colorspace_fragment>
      }`,
  }));
}

function makeFloor() {
  const material = new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    uniforms: {
      ...coloursOf('pool', 'line'), radius: { value: FLOOR_RADIUS }, dim: { value: THEMES.dark.dim },
    },
    vertexShader: `
      varying vec2 ground;
      varying vec2 around;
      void main() {
        vec4 world = modelMatrix * vec4(position, 1.0);
        ground = world.xz;
        around = position.xy;
        gl_Position = projectionMatrix * viewMatrix * world;
      }`,
    fragmentShader: `
      uniform vec3 pool, line;
      uniform float radius, dim;
      varying vec2 ground;
      varying vec2 around;
      // Lines slightly wider than one pixel at any distance; they fade where too dense.
      float grid(float pitch, float width) {
        vec2 at = ground / pitch;
        vec2 step = fwidth(at);
        vec2 d = abs(fract(at - 0.5) - 0.5) / max(step, vec2(1e-6));
        vec2 on = (1.0 - smoothstep(width - 0.5, width + 0.7, d))
          * (1.0 - smoothstep(0.15, 0.6, step));
        return max(on.x, on.y);
      }
      void main() {
        float away = length(around) / radius;
        float fade = 1.0 - smoothstep(0.0, 1.0, away);
        float lines = max(0.10 * grid(0.5, 0.4), 0.32 * grid(2.0, 0.6));
        // Brightest in the middle, as under a lamp; the rim fades into the background.
        float lamp = exp(-18.0 * away * away);
        vec3 colour = mix(pool * (dim + (1.0 - dim) * lamp), line, lines * (0.35 + 0.65 * lamp));
        gl_FragColor = vec4(colour, fade * fade * (0.85 + 0.15 * lines));
        #include <colorspace_fragment>
      }`,
  });
  const floor = new Mesh(new PlaneGeometry(2 * FLOOR_RADIUS, 2 * FLOOR_RADIUS), material);
  floor.rotation.x = -Math.PI / 2;
  floor.renderOrder = -3;
  return floor;
}

/** Light panels for reflections: a wide and high one, a warm and a cool one at the sides. */
function makeSurroundings() {
  const scene = new Scene();
  const box = new BoxGeometry();
  const panel = (color, strength, position, scale) => {
    const material = new MeshBasicMaterial({ color: new Color(color).multiplyScalar(strength) });
    const mesh = new Mesh(box, material);
    mesh.position.set(...position);
    mesh.scale.set(...scale);
    scene.add(mesh);
  };
  scene.add(new Mesh(new SphereGeometry(20),
    new MeshBasicMaterial({ color: 0x1c2330, side: BackSide })));
  panel(0xffffff, 5, [0, 9, 2], [9, 0.2, 6]);
  panel(0xffd9b0, 3.5, [8, 3, 5], [0.2, 5, 4]);
  panel(0x9dbdff, 4, [-8, 3, -4], [0.2, 6, 5]);
  panel(0x3a4252, 1, [0, -6, 0], [20, 0.2, 20]);
  return scene;
}

export class Stage {
  #resized = true;
  #sharp;
  #detail = 1;
  #slow = 0;
  #sky;
  #floor;
  #shade;
  #key;
  #rim;
  #lit = { centre: new Vector3(Infinity, 0, 0), radius: 0 };

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {boolean} sharp always draw at full resolution
   * @param {boolean} transparent draw bodies alone, for a picture over another one
   * @throws if the browser has no WebGL 2
   */
  constructor(canvas, sharp, transparent = false) {
    this.#sharp = sharp;
    const renderer = new WebGLRenderer({ canvas, alpha: transparent, antialias: sharp || !drawnByProcessor(),
      powerPreference: 'high-performance' });
    renderer.toneMapping = ACESFilmicToneMapping;
    renderer.toneMappingExposure = 1.0;
    renderer.outputColorSpace = SRGBColorSpace;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFSoftShadowMap;
    this.renderer = renderer;
    this.scene = new Scene();

    this.#sky = makeSky();
    this.#sky.renderOrder = 10;
    this.#sky.frustumCulled = false;
    this.#floor = makeFloor();
    this.#shade = new Mesh(new PlaneGeometry(2 * FLOOR_RADIUS, 2 * FLOOR_RADIUS),
      new ShadowMaterial({ opacity: 0.42, depthWrite: false }));
    this.#shade.rotation.x = -Math.PI / 2;
    this.#shade.receiveShadow = true;
    this.#shade.renderOrder = -2;
    this.scene.add(this.#sky, this.#floor, this.#shade);

    const baker = new PMREMGenerator(renderer);
    const surroundings = makeSurroundings();
    this.scene.environment = baker.fromScene(surroundings, 0.03).texture;
    this.scene.environmentIntensity = 0.45;
    baker.dispose();

    this.#key = new DirectionalLight(0xfff0dc, 2.5);
    this.#key.castShadow = true;
    this.#key.shadow.mapSize.set(2048, 2048);
    this.#key.shadow.bias = -0.0002;
    this.#key.shadow.normalBias = 0.02;
    this.#key.shadow.radius = 5;
    this.#rim = new DirectionalLight(0x9bb8ff, 1.9);
    this.scene.add(this.#key, this.#key.target, this.#rim, this.#rim.target);
    this.scene.add(new HemisphereLight(0xcfdcf5, 0x3a3531, 0.75));
    this.light(new Vector3(), 4);
    if (transparent) {
      this.room = false;
      this.#shade.visible = false;
    }
    new ResizeObserver(() => { this.#resized = true; }).observe(canvas);
  }

  /** Aims the lights and the shadow map at a circle of the floor. */
  light(centre, radius) {
    const wanted = Math.max(3, radius);
    if (this.#lit.centre.distanceTo(centre) < 0.5 && Math.abs(this.#lit.radius - wanted) < 0.5)
      return;
    this.#lit.centre.copy(centre);
    this.#lit.radius = wanted;
    const reach = wanted + 0.6;
    this.#key.target.position.copy(centre);
    this.#key.position.copy(centre).add(new Vector3(0.42, 1, 0.62).normalize().multiplyScalar(20));
    this.#rim.target.position.copy(centre);
    this.#rim.position.copy(centre).add(new Vector3(-0.7, 0.75, -1).normalize().multiplyScalar(20));
    const { camera } = this.#key.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 20 - reach - 3;
    camera.far = 20 + reach + 3;
    camera.updateProjectionMatrix();
    this.#floor.position.set(centre.x, 0, centre.z);
    this.#shade.position.set(centre.x, 0.001, centre.z);
  }

  /** Whether to draw background and floor; without them, AR shows the room of the person. */
  set room(shown) {
    this.#sky.visible = this.#floor.visible = shown;
  }

  /** @param {'dark' | 'light'} name of the colours of background and floor */
  set theme(name) {
    const { dim, ...colours } = THEMES[name];
    const uniforms = { ...this.#sky.material.uniforms, ...this.#floor.material.uniforms };
    uniforms.dim.value = dim;
    for (const [of, colour] of Object.entries(colours))
      uniforms[of].value.set(colour);
  }

  /** Adapts picture and camera to the size of the canvas; true after a change. */
  fit(camera) {
    if (!this.#resized)
      return false;
    const canvas = this.renderer.domElement;
    const width = Math.max(1, canvas.clientWidth);
    const height = Math.max(1, canvas.clientHeight);
    const finest = Math.min(window.devicePixelRatio || 1, FINEST);
    this.renderer.setPixelRatio(Math.max(finest * this.#detail, Math.min(finest, COARSEST)));
    this.renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    this.#resized = false;
    return true;
  }

  /** Measures the time of pictures and lowers the resolution on slow machines. */
  pace(milliseconds) {
    this.#slow = Math.max(0, this.#slow + Math.min(milliseconds, 300) - SLOW_MS);
    if (this.#sharp || this.#slow < PATIENCE_MS || this.#detail <= COARSEST)
      return;
    this.#detail *= 0.75;
    this.#slow = 0;
    this.#resized = true;
  }

  render(camera) {
    this.renderer.render(this.scene, camera);
  }
}
