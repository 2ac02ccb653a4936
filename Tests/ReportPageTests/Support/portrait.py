"""Counts a feed's departures by hour and trips by date, by brute force: usage: portrait.py FEED FIRST LAST (YYYY-MM-DD)."""
import collections
import datetime
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Timetable"))
import timetable

table = timetable.Timetable(sys.argv[1])
first, last = (datetime.date.fromisoformat(text) for text in sys.argv[2:4])
days = [first + datetime.timedelta(days=number) for number in range((last - first).days + 1)]
running = {id: [day for day in days if table.runs(id, day)] for id in table.services}

trips = collections.Counter()
for trip in table.trips.values():
    if trip.calls:
        trips.update(running.get(trip.service, []))

hours = collections.Counter()
for calls in table.by_stop().values():
    for call in calls:
        if call.pickup != 1 and not call.last:
            for time, _, _ in table.times(call, False):
                hours[min(max(time // 3600, 0), 47)] += len(running[call.trip.service])

epoch = datetime.date(1970, 1, 1)
print(json.dumps({
    "trips": [[(day - epoch).days, trips[day]] for day in days if trips[day]],
    "departures": [hours[hour] for hour in range(48)],
}))
