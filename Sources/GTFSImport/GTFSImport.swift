// GTFSImport
