// One robot per track: a group per body, a mesh per geom. Solid in its own colours, or as a ghost in the track's colour.
import {BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, Group, Mesh, MeshStandardMaterial, SphereGeometry} from 'three';
import {eachPose, hasBegun} from './pose.js';

// MuJoCo's sizes: half extents, radius and half length; its capsules and cylinders lie along z, three.js's along y.
const shapes = {
  box: ([x, y, z]) => new BoxGeometry(2 * x, 2 * y, 2 * z),
  sphere: ([r]) => new SphereGeometry(r, 24, 16),
  ellipsoid: ([x, y, z]) => new SphereGeometry(1, 24, 16).scale(x, y, z),
  capsule: ([r, h]) => new CapsuleGeometry(r, 2 * h, 8, 20).rotateX(Math.PI / 2),
  cylinder: ([r, h]) => new CylinderGeometry(r, r, 2 * h, 28).rotateX(Math.PI / 2),
};

function solidMaterial(rgba) {
  return new MeshStandardMaterial({color: new Color(...rgba.slice(0, 3)).convertSRGBToLinear(), roughness: 0.55, metalness: 0.1,
    transparent: rgba[3] < 1, opacity: rgba[3]});
}

/** Geometries and solid materials are shared by the robots of all tracks. */
export function prepareGeoms(geoms) {
  return geoms.map((geom) => ({...geom, geometry: shapes[geom.shape](geom.size), material: solidMaterial(geom.rgba)}));
}

export class Robot {
  constructor(geoms, bodies, track) {
    this.track = track;
    this.bodies = bodies;
    this.group = new Group();
    this.links = Array.from({length: bodies}, () => new Group());
    this.group.add(...this.links);
    this.ghostMaterial = new MeshStandardMaterial({color: track.color, transparent: true, opacity: 0.38, roughness: 0.8});
    this.meshes = geoms.map((geom) => {
      const mesh = new Mesh(geom.geometry, geom.material);
      mesh.position.set(...geom.position);
      const [w, x, y, z] = geom.rotation;
      mesh.quaternion.set(x, y, z, w);
      mesh.userData.solid = geom.material;
      this.links[geom.body].add(mesh);
      return mesh;
    });
  }

  setGhost(ghost) {
    for (const mesh of this.meshes) {
      mesh.material = ghost ? this.ghostMaterial : mesh.userData.solid;
      mesh.castShadow = !ghost;
      mesh.receiveShadow = !ghost;
    }
  }

  moveTo(time, visible) {
    this.group.visible = visible && hasBegun(this.track, time);
    eachPose(this.track, this.bodies, time, (body, position, rotation) => {
      this.links[body].position.copy(position);
      this.links[body].quaternion.copy(rotation);
    });
  }

  /** Where the camera looks: the first body. */
  get base() {
    return this.links[0].position;
  }
}
