// Names of the markers as page text that floats over the drawing.
import {Vector3} from 'three';
import {groundHeight} from './terrain.js';

const point = new Vector3();

/** Returns a function that moves all labels to where the camera sees their markers. */
export function buildLabels(parent, markers, terrain) {
  const labels = markers.filter((marker) => marker.name).map((marker) => {
    const element = document.createElement('div');
    element.className = 'label';
    element.textContent = marker.name;
    parent.append(element);
    return {element, at: new Vector3(marker.x, marker.y, groundHeight(terrain, marker.x, marker.y) + 0.12)};
  });
  return (camera, width, height) => {
    for (const {element, at} of labels) {
      point.copy(at).project(camera);
      element.hidden = point.z > 1;
      element.style.transform = `translate(-50%, -100%) translate(${(0.5 + 0.5 * point.x) * width}px, ${(0.5 - 0.5 * point.y) * height}px)`;
    }
  };
}
