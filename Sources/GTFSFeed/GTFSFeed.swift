// GTFSFeed
