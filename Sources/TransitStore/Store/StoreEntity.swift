/// A class of objects that stands for a table.
public protocol StoreEntity: StoreObject {
    static var entity: EntityDescription { get }
}
