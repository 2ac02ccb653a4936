// GTFSSchema
