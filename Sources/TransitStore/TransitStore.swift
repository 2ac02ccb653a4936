// TransitStore
