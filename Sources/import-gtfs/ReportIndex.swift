import GTFSImport
import Glibc
import ReportPage
import SystemFiles

/// Writes `index.html`, an index of the report pages in a folder.
///
///     try ReportIndex(folder: "/srv/reports").write()     // 12 if the folder has 12 pages
struct ReportIndex {
    let folder: String

    /// How many bytes of a page are read. The metadata for programs is at its start.
    private static let headBytes = 16 << 10

    /// Returns the number of pages. Throws `cannotOpenFeed` when the folder cannot be read, and the errors of writing
    /// the page.
    func write() throws(ImportError) -> Int {
        var entries: [IndexPage.Entry] = []
        do throws(SystemError) {
            for name in try SystemFile.names(in: folder).sorted()
            where name.ends(with: ".html") && name != "index.html" {
                if let summary = try summary(of: name) { entries.append((name, summary)) }
            }
        } catch {
            throw .system(at: folder, "cannot be read", .cannotOpenFeed, error)
        }
        let html = IndexPage(entries, time: Int(time(nil))).html
        try WholeFile.page(folder + "/index.html").replace { html }
        return entries.count
    }

    /// Nil for a file that is not a report page, that is gone, that this user may not read, or whose links form a
    /// circle.
    private func summary(of name: String) throws(SystemError) -> PageSummary? {
        do throws(SystemError) {
            return try summary(at: folder + "/" + name)
        } catch {
            if [ENOENT, EACCES, ELOOP].contains(error.number) { return nil }
            throw error
        }
    }

    private func summary(at path: String) throws(SystemError) -> PageSummary? {
        guard try FileStatus.find(path)?.isRegularFile == true else { return nil }
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        return PageSummary(page: String(decoding: try SystemFile.head(Self.headBytes, of: descriptor), as: UTF8.self))
    }
}
