// The 3-D view: z is up, the camera orbits by hand and, if wished, travels with the selected robot.
import {Color, DirectionalLight, Fog, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {buildLabels} from './labels.js';
import {buildMarker, buildPath} from './markers.js';
import {Robot, prepareGeoms} from './robot.js';
import {buildGround} from './terrain.js';

const homeOffset = new Vector3(-1.7, -1.9, 1.0); // behind, right and above
const sunOffset = new Vector3(-3.2, 2.4, 2.8); // low, from the left, so that bumps of the ground can be seen

function makeRenderer() {
  try {
    const renderer = new WebGLRenderer({antialias: true});
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.shadowMap.enabled = true;
    return renderer;
  } catch (error) {
    return null; // no WebGL: the plots still work
  }
}

function makeSun() {
  const sun = new DirectionalLight('#fff6e8', 2.9);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, {left: -2.5, right: 2.5, top: 2.5, bottom: -2.5, near: 0.5, far: 14});
  sun.shadow.radius = 4;
  sun.shadow.bias = -0.0006;
  sun.shadow.normalBias = 0.01;
  return sun;
}

/** Colours of the page's style sheet, so that the view follows its light and dark scheme. */
function pageColors() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  return {sky: color('--sky'), ground: color('--ground'), groundLine: color('--ground-line')};
}

class Stage {
  follow = true;
  #dirty = true;

  constructor(view, data, clock, selection, renderer) {
    Object.assign(this, {view, clock, selection, renderer});
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(45, 1, 0.05, 200);
    this.camera.up.set(0, 0, 1);
    this.sun = makeSun();
    const colors = pageColors();
    this.scene.background = new Color(colors.sky);
    this.scene.fog = new Fog(colors.sky, 9, 26);
    this.scene.add(new HemisphereLight('#ffffff', colors.ground, 1.1), this.sun, this.sun.target, buildGround(data.terrain, colors));
    const geoms = prepareGeoms(data.geoms);
    this.robots = data.tracks.map((track) => new Robot(geoms, data.bodies, track));
    this.paths = data.tracks.map((track) => buildPath(track, data.bodies));
    this.scene.add(...this.robots.map((robot) => robot.group), ...this.paths.filter(Boolean),
      ...data.markers.map((marker) => buildMarker(marker, data.terrain)));
    this.moveLabels = buildLabels(view, data.markers, data.terrain);

    this.controls = new OrbitControls(this.camera, renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.maxPolarAngle = 0.495 * Math.PI;
    this.controls.minDistance = 0.4;
    this.controls.maxDistance = 20;
    this.controls.addEventListener('change', () => { this.#dirty = true; });
    clock.onChange(() => { this.#dirty = true; });
    selection.onChange(() => this.#restyle());
    new ResizeObserver(() => this.#resize()).observe(view);
  }

  /** How many triangles the last drawing took. */
  get triangles() {
    return this.renderer.info.render.triangles;
  }

  start() {
    this.#restyle();
    this.resetCamera();
    this.#resize();
    let before = performance.now();
    this.renderer.setAnimationLoop((now) => {
      this.clock.advance(Math.min(0.1, (now - before) / 1000));
      before = now;
      this.controls.update();
      if (this.#dirty) this.#draw();
    });
  }

  setFollow(follow) {
    this.follow = follow;
    this.#dirty = true;
  }

  resetCamera() {
    this.#moveRobots();
    const base = this.#selectedBase();
    this.controls.target.copy(base);
    this.camera.position.copy(base).add(homeOffset);
    this.#dirty = true;
  }

  #selectedBase() {
    return this.robots.length ? this.robots[this.selection.selected].base : new Vector3();
  }

  #moveRobots() {
    this.robots.forEach((robot, i) => robot.moveTo(this.clock.time, this.selection.visible[i]));
  }

  /** Among ghosts only the selected robot is solid; without ghosts all are. */
  #restyle() {
    const overlaid = this.robots.some((robot) => robot.track.ghost);
    this.robots.forEach((robot, i) => {
      robot.setGhost(overlaid && i !== this.selection.selected);
      if (this.paths[i]) this.paths[i].visible = this.selection.visible[i];
    });
    this.#dirty = true;
  }

  #resize() {
    const {clientWidth: width, clientHeight: height} = this.view;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.#draw();
  }

  #draw() {
    this.#dirty = false;
    this.#moveRobots();
    const base = this.#selectedBase();
    if (this.follow) {
      const step = base.clone().sub(this.controls.target);
      this.controls.target.add(step);
      this.camera.position.add(step);
    }
    this.camera.lookAt(this.controls.target);
    this.sun.target.position.copy(base);
    this.sun.position.copy(base).add(sunOffset);
    this.renderer.render(this.scene, this.camera);
    this.moveLabels(this.camera, this.view.clientWidth, this.view.clientHeight);
  }
}

/** Without WebGL: the clock still runs, and the view says why it is empty. */
function buildEmptyStage(view, clock) {
  const note = document.createElement('p');
  note.className = 'no-webgl';
  note.textContent = 'This browser offers no WebGL, so the 3-D view is left out. The plots work.';
  view.append(note);
  let before = performance.now();
  const tick = (now) => {
    clock.advance((now - before) / 1000);
    before = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  return {triangles: 0, follow: false, setFollow() {}, resetCamera() {}};
}

export function buildStage(view, data, clock, selection) {
  const renderer = makeRenderer();
  if (!renderer) return buildEmptyStage(view, clock);
  renderer.domElement.setAttribute('aria-label', 'Robot and terrain in 3-D');
  renderer.domElement.setAttribute('role', 'img');
  view.append(renderer.domElement);
  const stage = new Stage(view, data, clock, selection, renderer);
  stage.start();
  return stage;
}
