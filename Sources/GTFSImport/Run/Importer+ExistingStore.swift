import Glibc

/// What an import makes of the store that stands where the new one will be.
extension Importer {
    /// How the existing store compares with the one that the import would make.
    enum ExistingStore {
        /// The same.
        case current
        /// It was the same, and has been damaged since. It is made again without asking policies or the list of feeds
        /// that were rolled back, because its feed passed them when it was published.
        case damaged
        /// Anything else, or nothing.
        case other
    }

    func existingStore(at target: StoreTarget, _ log: ImportLog) throws(ImportError) -> ExistingStore {
        guard !options.force, try target.status() != nil else { return .other }
        let store = try findStore(at: target)
        if let store, !store.isMade(from: log, options) { return .other }
        log.begin("verify", progress)
        do throws(ImportError) {
            guard let damage = try PublishedStore.damage(path: target.path, cancellation) else {
                return store == nil ? .other : .current
            }
            if store != nil || damage.isOfStore {
                log.report.replacedDamage = damage.replacing(target.path)
            }
        } catch {
            // The new store will have the same bytes, so nothing is lost even if only this one read failed.
            guard store != nil, error.code == .inputOutput else { throw error }
            log.report.replacedDamage = "\(error.message); it is replaced"
        }
        return store == nil ? .other : .damaged
    }

    private func findStore(at target: StoreTarget) throws(ImportError) -> PublishedStore? {
        do throws(ImportError) {
            return try PublishedStore.find(target.path)
        } catch {
            guard error.cause?.code == EIO else { throw error }
            throw error.reworded { "\($0). Only --force replaces a store that the disk cannot read" }
        }
    }

    /// Whether a rollback would refuse the live store as damaged. A store of another feed, or one that `force`
    /// replaces, is read only now, and only if it would be kept.
    func isLiveDamaged(_ log: ImportLog, _ target: StoreTarget) throws(ImportError) -> Bool {
        if log.report.replacedDamage.isEmpty, options.previousStoresKept > 0, try target.status() != nil {
            do throws(ImportError) {
                let damage = try PublishedStore.damage(path: target.path, cancellation)
                log.report.replacedDamage = damage?.replacing(target.path) ?? ""
            } catch {
                // The store may be sound, and keeping it only renames it.
                guard options.force, error.code == .inputOutput else { throw error }
                log.report.warnings.append("\(error.message). It is kept unread as an earlier store")
            }
        }
        return !log.report.replacedDamage.isEmpty
    }

    /// A refused feed leaves the existing store as it is. If that is damaged, somebody has to know.
    func warnOfDamage(_ log: ImportLog) {
        guard let target = try? StoreTarget(options.store), (try? target.status()) != nil,
            (try? ExistingFiles.isForeign(target.path)) == false,
            let damage = try? PublishedStore.damage(path: target.path, cancellation)
        else { return }
        log.report.replacedDamage = ""
        log.report.warnings.append("\(target.path) is damaged and stays as it is: \(damage.words)")
    }
}
