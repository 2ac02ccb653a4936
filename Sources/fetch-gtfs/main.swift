print("fetch-gtfs")
