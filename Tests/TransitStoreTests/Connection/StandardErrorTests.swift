import Testing

@testable import TransitStore

@Suite struct StandardErrorTests {
    /// Values come from feeds and users. They cannot control a terminal.
    @Test func `what is written about statements is harmless`() {
        let line = SQLDebug.written("details: bind[1] = 'a\u{1B}[31m\r\n\u{7}\u{9B}\u{202E}\u{FC}'")
        #expect(line == "details: bind[1] = 'a\\u{1B}[31m\\u{D}\\u{A}\\u{7}\\u{9B}\\u{202E}\u{FC}'\n")
    }
}
