// Entry of the viewer bundle: reads the scene held in the page and puts stage, controls and plots around one clock.
import {Clock} from './clock.js';
import {armKeyboard} from './keyboard.js';
import {buildLegend} from './legend.js';
import {buildPlots} from './plots.js';
import {readScene} from './scene_data.js';
import {Selection} from './selection.js';
import {buildStage} from './stage.js';
import {buildTransport} from './transport.js';

const root = document.getElementById('viewer');
const scene = readScene(JSON.parse(document.getElementById('scene').textContent));
const clock = new Clock(scene.start, scene.end);
const selection = new Selection(scene.tracks);

const view = document.createElement('div');
view.className = 'view';
const side = document.createElement('div');
side.className = 'side';
root.append(view, side);

const stage = buildStage(view, scene, clock, selection);
view.append(buildLegend(scene, selection));
view.append(buildTransport(scene, clock, stage));
buildPlots(side, scene, clock, selection);
armKeyboard(clock, stage, selection);

// A page can be opened at a moment and a place: view.html#t=2.5&track=2
const wanted = new URLSearchParams(location.hash.slice(1));
if (wanted.has('track')) selection.select(Number(wanted.get('track')) - 1);
clock.seek(wanted.has('t') ? Number(wanted.get('t')) : scene.start);
root.dataset.triangles = stage.triangles; // of the last drawing; 0 without WebGL
