// node web/dev/sample_result.mjs GO|NO-GO|ABSTAIN > result.json
// An invented audit result with the shape of result.json, for looking at the report page while working on it.
const wanted = process.argv[2] ?? 'NO-GO';
const shape = {'GO': [0.042, 0.038, 0.012], 'NO-GO': [0.0002, 0.0053, 0.021], 'ABSTAIN': [0.0134, 0.0114, 0.0396]}[wanted];
if (!shape) throw new Error(`expected GO, NO-GO or ABSTAIN, not ${wanted}`);
const [dep, alloc, violation] = shape;

let state = 20260717; // mulberry32
const uniform = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
const draw = (n, mean, sd, floor = -Infinity) => Array.from({length: n}, () => Math.max(floor, mean + sd * normal()));
const quantile = (xs, p) => {
  const s = [...xs].sort((a, b) => a - b), h = (s.length - 1) * p, i = Math.floor(h);
  return s[i] + (h - i) * ((s[i + 1] ?? s[i]) - s[i]);
};
const mean = (xs) => xs.reduce((a, b) => a + b, 0) / xs.length;

const means = {H_global: 0.0131, H_avail: 0.0916, H_total: dep + 0.003, H_alloc: alloc, H_dep: dep, q: violation};
const spread = {H_global: 0.004, H_avail: 0.005, H_total: 0.004, H_alloc: 0.0031, H_dep: 0.0049, q: 0.006};
const replicates = {}, estimates = {};
for (const key of Object.keys(means)) {
  replicates[key] = draw(200, means[key] - (key === 'q' ? -0.002 : 0.0018), spread[key], key === 'q' ? 0 : -1);
  estimates[key] = {point: means[key], lower: quantile(replicates[key], 0.025), upper: quantile(replicates[key], 0.975),
    bootstrap_mean: mean(replicates[key])};
}
const thresholds = {delta_dep: 0.01, delta_alloc: 0.01, kappa: 0.05};
const channel = (name, threshold, direction, lower, upper) => {
  const met = direction === 'above' ? lower > threshold : upper <= threshold;
  const failed = direction === 'above' ? upper < threshold : lower > threshold;
  const side = direction === 'above' ? ['lower', 'upper'] : ['upper', 'lower'];
  return {name, threshold, direction, point: means[name], lower, upper, decided_by: met ? side[0] : failed ? side[1] : null};
};
const bounds = (name, shrink, shift) => {
  const {lower, upper, point} = estimates[name];
  return [point + shift + (lower - point) * shrink, point + shift + (upper - point) * shrink];
};
const channelsOf = (shrink, shift, total) => [
  channel('H_dep', 0.01, 'above', ...bounds('H_dep', shrink, shift)),
  channel('H_alloc', 0.01, 'above', ...bounds('H_alloc', shrink, shift)),
  channel('q', 0.05, 'below', ...bounds('q', shrink, -shift / 2)),
  ...(total ? [channel('H_total', 0, 'above', ...bounds('H_total', shrink, shift))] : []),
];
const channels = channelsOf(1, 0, false);

const names = ['direct', 'scale-0.75', 'scale-0.90', 'heading+0.3', 'heading-0.3', 'yaw+0.2', 'yaw-0.2'];
const share = (weights) => weights.map((w) => w / weights.reduce((a, b) => a + b, 0));
const selector = share(names.map((_, i) => (i === 0 ? 5 : uniform()))), oracle = share(names.map(() => 0.5 + uniform()));
const folds = Array.from({length: 20}, (_, i) => ({
  cluster: `terrain-${100 + i}`, queries: 48, reference: uniform() < 0.8 ? 'yaw-0.2' : 'direct',
  H_total: dep + 0.003 + 0.016 * normal(), H_alloc: alloc + 0.012 * normal(), H_dep: dep + 0.018 * normal(),
  q: Math.max(0, Math.round(48 * (violation + 0.02 * normal())) / 48)}));
const deltas = [0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03], kappas = [0.01, 0.02, 0.03, 0.05, 0.075, 0.1];
const decide = (delta, kappa) => {
  const {H_dep: d, H_alloc: a, q} = estimates;
  if (d.lower > delta && a.lower > delta && q.upper <= kappa) return 'GO';
  return d.upper < delta || a.upper < delta || q.lower > kappa ? 'NO-GO' : 'ABSTAIN';
};
const gammas = [0, 0.025, 0.05, 0.1, 0.15, 0.2];

console.log(JSON.stringify({
  schema: 'gonogo.audit-result/1', version: '0.1.0', complete: true,
  provenance: {commit: '3f2c9d1', seed: 20260717, table: 'go2-direct.h5', table_sha256: 'b1946ac92492d2347c6235b4d2611184',
    declaration_sha256: '591785b794601e212b260e25925636fd', arch: 'x86-64-v3', command: 'gonogo audit go2-direct.h5 --out runs/go2'},
  protocol: {name: 'go2-direct', reference: 'direct', actions: names, cluster: 'source seed', min_clusters: 20, time_budget: 1.1,
    delta_dep: 0.01, delta_alloc: 0.01, kappa: 0.05},
  status: 'confirmatory', reasons: [], decision: decide(0.01, 0.05), rule: 'paper',
  estimates, thresholds, channels,
  rules: [
    {name: 'paper', decision: decide(0.01, 0.05), target: 'adapters refitted on about 13 of 20 clusters', channels},
    {name: 'calibrated', decision: wanted, target: 'the adapter that would ship', channels: channelsOf(0.75, 0.001, true)}],
  diagnostics: {work_mae: 0.0612, activation: 0.713, oracle_agreement: 0.214, folds_won: 13, folds: 20, H_alloc_pooled: alloc + 0.001,
    H_global_unconstrained: 0.0173, success_direct: 0.9812, success_selector: 0.9781, success_oracle: 0.9854,
    reference_modal_share: 0.85, largest_cluster_share: 0.067, flip_rate: 0.02},
  actions: names.map((name, i) => ({name, selector_frequency: selector[i], oracle_frequency: oracle[i],
    gain: i === 0 ? 0 : 0.01 * normal(), violation_rate: i === 0 ? 0 : 0.1 * uniform()})),
  folds, replicates,
  sensitivity: kappas.flatMap((kappa) => deltas.map((delta) => ({delta, kappa, decision: decide(delta, kappa)}))),
  resolution: [
    {channel: 'H_dep', clusters: dep > 0.01 ? 86 : null, status: dep > 0.01 ? 'needs more clusters' : 'point below'},
    {channel: 'H_alloc', clusters: alloc > 0.01 ? 97 : null, status: alloc > 0.01 ? 'needs more clusters' : 'point below'},
    {channel: 'q', clusters: 20, status: 'already satisfied'}],
  ablation: ['observation', 'observation + target', 'observation + target + response'].map((features, i) => ({
    features, H_dep: {point: dep - 0.002 + 0.001 * i, lower: dep - 0.01, upper: dep + 0.008},
    H_alloc: {point: alloc - 0.001 + 0.0006 * i, lower: alloc - 0.008, upper: alloc + 0.004},
    q: {point: violation, lower: violation - 0.008, upper: violation + 0.015}, decision: decide(0.01, 0.05)})),
  controls: {
    observable: gammas.map((gamma) => ({gamma, H_alloc: Math.max(0, 0.8 * gamma - 0.006), lower: 0.72 * gamma - 0.012,
      upper: 0.86 * gamma + 0.004, q: 0.02 + 0.02 * uniform()})),
    hidden: {mappings: 40, exceed: [{threshold: 0, share: 0.05}, {threshold: 0.005, share: 0.025}, {threshold: 0.01, share: 0}]}},
  warnings: ['column obs_17 is constant over all queries; it was left out'],
}, null, 1));
