print("import-gtfs")
