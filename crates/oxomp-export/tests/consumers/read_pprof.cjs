// Decodes a gzipped profile with the package pprof-format and prints as JSON what a reader sees:
// types and units, the period, and every sample with its frames by name, innermost first.
//
// Arguments: the package's folder, the profile.
const [, , folder, file] = process.argv;
const { Profile } = require(folder);
const { readFileSync } = require("fs");
const { gunzipSync } = require("zlib");

const profile = Profile.decode(gunzipSync(readFileSync(file)));
const text = (index) => profile.stringTable.strings[Number(index)];
const type = ({ type, unit }) => [text(type), text(unit)];
const byId = (list) => new Map(list.map((one) => [Number(one.id), one]));
const functions = byId(profile.function), locations = byId(profile.location);
const mappings = byId(profile.mapping);

const frame = (id) => {
  const location = locations.get(Number(id));
  const [line] = location.line;
  const called = functions.get(Number(line.functionId));
  const mapping = mappings.get(Number(location.mappingId));
  return {
    name: text(called.name), system: text(called.systemName), file: text(called.filename),
    line: Number(line.line), module: mapping ? text(mapping.filename) : null,
    symbolized: mapping?.hasFunctions ?? null,
  };
};
console.log(JSON.stringify({
  types: profile.sampleType.map(type),
  default: text(profile.defaultSampleType),
  period: [...type(profile.periodType), Number(profile.period)],
  begun: String(profile.timeNanos),
  duration: Number(profile.durationNanos),
  main: text(profile.mapping[0].filename),
  comments: profile.comment.map(text),
  samples: profile.sample.map((sample) => ({
    frames: sample.locationId.map(frame),
    values: sample.value.map(Number),
    labels: Object.fromEntries(sample.label.map((label) => [text(label.key), text(label.str)])),
  })),
}));
