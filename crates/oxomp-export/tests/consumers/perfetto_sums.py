"""Reads a Perfetto trace and prints, as JSON, its slices by category (count and summed duration),
its flows, counters and samples.

With the program trace_processor_shell (argument 2) the numbers come from its tables, by SQL. Without
it the trace is decoded with Perfetto's own message definitions, and the rules by which
trace_processor makes slices of packets are applied here; whatever breaks one is an error.
"""

import collections
import json
import sys


def unknown_fields(message, path="Trace"):
    from google.protobuf.unknown_fields import UnknownFieldSet

    assert not len(UnknownFieldSet(message)), f"{path} has fields that Perfetto does not know"
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        parts = value if field.is_repeated else [value]
        for part in parts:
            unknown_fields(part, f"{path}.{field.name}")


def decode(path):
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as protos

    trace = protos.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    interned = collections.defaultdict(dict)
    tracks, stacks = {}, collections.defaultdict(list)
    slices, starts, ends, samples, counters = [], [], [], 0, []
    names = set()
    first = True
    for packet in trace.packet:
        unknown_fields(packet)
        assert packet.trusted_packet_sequence_id == 1
        assert bool(packet.sequence_flags & 1) == first, "the state is cleared once, at first"
        first = False
        for field, entries in packet.interned_data.ListFields():
            for entry in entries:
                assert entry.iid > 0 and entry.iid not in interned[field.name]
                interned[field.name][entry.iid] = entry
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            assert track.uuid not in tracks
            assert not track.HasField("parent_uuid") or track.parent_uuid in tracks
            tracks[track.uuid] = track
        if packet.HasField("perf_sample"):
            sample = packet.perf_sample
            for frame in interned["callstacks"][sample.callstack_iid].frame_ids:
                frame = interned["frames"][frame]
                interned["function_names"][frame.function_name_id]
                for part in interned["mappings"][frame.mapping_id].path_string_ids:
                    interned["mapping_paths"][part]
            samples += 1
        if not packet.HasField("track_event"):
            continue
        event, time = packet.track_event, packet.timestamp
        assert event.track_uuid in tracks, "an event of a track that is not described"
        kind = event.Type.Name(event.type)
        if kind == "TYPE_SLICE_END":
            begin, category = stacks[event.track_uuid].pop()
            assert begin <= time, "a slice that ends before it begins"
            slices.append((category, time - begin))
            continue
        if kind == "TYPE_COUNTER":
            counters.append(event.double_counter_value)
            continue
        names.add(interned["event_names"][event.name_iid].name)
        (category,) = event.category_iids
        category = interned["event_categories"][category].name
        for note in event.debug_annotations:
            interned["debug_annotation_names"][note.name_iid]
        if event.source_location_iid:
            interned["source_locations"][event.source_location_iid]
        if kind == "TYPE_INSTANT":
            slices.append((category, 0))
            continue
        assert kind == "TYPE_SLICE_BEGIN"
        if stacks[event.track_uuid]:
            assert stacks[event.track_uuid][-1][0] <= time, "a slice begins before its parent"
        stacks[event.track_uuid].append((time, category))
        starts.extend(event.flow_ids)
        ends.extend(event.terminating_flow_ids)
    assert not any(stacks.values()), "a slice that does not end"
    assert len(set(starts)) == len(starts) and set(ends) <= set(starts)
    sums = collections.defaultdict(lambda: [0, 0])
    for category, length in slices:
        sums[category][0] += 1
        sums[category][1] += length
    return {
        "consumer": "perfetto's message definitions",
        "slices": sums,
        "names": sorted(names),
        "flows": len(ends),
        "counter": [min(counters), max(counters)] if counters else None,
        "samples": samples,
        "threads": sum(track.HasField("thread") for track in tracks.values()),
    }


def query(path, shell):
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig

    with TraceProcessor(trace=path, config=TraceProcessorConfig(bin_path=shell)) as processor:
        rows = lambda sql: list(processor.query(sql))
        broken = rows("select name, value from stats where severity = 'error' and value > 0")
        assert not broken, [(row.name, row.value) for row in broken]
        sums = rows("select category, count(*) as many, sum(dur) as length from slice group by 1")
        (counter,) = rows("select min(value) as least, max(value) as most from counter")
        one = lambda sql: rows(sql)[0].many
        return {
            "consumer": "trace_processor",
            "slices": {row.category: [row.many, row.length] for row in sums},
            "names": sorted(row.name for row in rows("select distinct name from slice")),
            "flows": one("select count(*) as many from flow"),
            "counter": [counter.least, counter.most],
            "samples": one("select count(*) as many from perf_sample"),
            "threads": one("select count(*) as many from thread where utid > 0"),
        }


if __name__ == "__main__":
    print(json.dumps(query(*sys.argv[1:3]) if len(sys.argv) > 2 else decode(sys.argv[1])))
