//! Who is at the other end of a connection on this machine?

use std::net::SocketAddr;

/// Does the other end belong to the user that we run as? Yes, if the system does not say.
#[cfg(target_os = "linux")]
pub(super) fn is_same_user(from: SocketAddr, to: SocketAddr) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (SocketAddr::V4(from), SocketAddr::V4(to)) = (from, to) else {
        return true;
    };
    let Ok(us) = std::fs::metadata("/proc/self").map(|about| about.uid()) else {
        return true;
    };
    let Ok(table) = std::fs::read_to_string("/proc/net/tcp") else {
        return true;
    };
    // An address is its four bytes as one number of the machine, in hexadecimal.
    let written =
        |at: std::net::SocketAddrV4| format!("{:08X}:{:04X}", u32::from_ne_bytes(at.ip().octets()), at.port());
    owner(&table, &written(from), &written(to)).is_none_or(|owner| owner == us)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_same_user(_from: SocketAddr, _to: SocketAddr) -> bool {
    true
}

/// The owner of the connection between two addresses in the table of connections.
#[cfg(target_os = "linux")]
fn owner(table: &str, from: &str, to: &str) -> Option<u32> {
    let mut rows = table.lines().filter(|row| row.contains(from));
    rows.find_map(|row| {
        let mut fields = row.split_whitespace().skip(1);
        let found = fields.next() == Some(from) && fields.next() == Some(to);
        // State, queues, timer, retransmissions, owner.
        found.then(|| fields.nth(4)?.parse().ok()).flatten()
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_owner_of_a_connection() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
             0: 0100007F:1F90 0100007F:A0B0 01 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 20 4 30 10 -1\n   \
             1: 0100007F:A0B0 0100007F:1F90 01 00000000:00000000 00:00000000 00000000    33        0 2 1 0 20 4 30 10 -1\n";
        assert_eq!(owner(table, "0100007F:A0B0", "0100007F:1F90"), Some(33));
        assert_eq!(owner(table, "0100007F:A0B0", "0100007F:0001"), None);
    }

    #[test]
    fn our_own_connections_are_ours() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback works");
        let to = listener.local_addr().expect("loopback works");
        let near = std::net::TcpStream::connect(to).expect("loopback works");
        let from = near.local_addr().expect("loopback works");
        assert!(is_same_user(from, to));
        let table = std::fs::read_to_string("/proc/net/tcp").expect("loopback works");
        let written = |port: u16| format!("0100007F:{port:04X}");
        assert!(owner(&table, &written(from.port()), &written(to.port())).is_some());
    }
}
