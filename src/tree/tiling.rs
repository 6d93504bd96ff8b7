//! Checks that the leaves of a tree cover every byte exactly once.

use super::Tree;

impl Tree {
    /// Whether the leaves tile `0..len`, and each node covers just what its children do.
    ///
    /// # Errors
    /// In words, the first place where they do not.
    pub fn check_tiling(&self, len: usize) -> Result<(), String> {
        let mut at = 0;
        for (index, node) in self.nodes.iter().enumerate() {
            if !node.kind().covers_bytes() {
                continue;
            }
            if node.start() as usize != at {
                return Err(format!("node {index} starts at {:#x}, but {at:#x} is next", node.start()));
            }
            if self.is_leaf(index) {
                if node.is_empty() && len > 0 && !node.kind().is_container() {
                    return Err(format!("leaf {index} at {at:#x} is empty"));
                }
                at += node.len() as usize;
            } else {
                let last =
                    self.children(index).filter(|child| self.nodes[*child].kind().covers_bytes()).last();
                let stop = last.map(|child| self.nodes[child].stop());
                if stop != Some(node.stop()) {
                    return Err(format!(
                        "node {index} ends at {:#x}, its children at {stop:x?}",
                        node.stop()
                    ));
                }
            }
        }
        if at == len { Ok(()) } else { Err(format!("the leaves end at {at:#x}, the bytes at {len:#x}")) }
    }
}
