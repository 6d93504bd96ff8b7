//! Checks that the leaves of a tree cover every byte exactly once.

use super::Tree;

impl Tree {
    /// Whether the leaves tile `0..len` and all that was decompressed, and each node covers just what its children do.
    ///
    /// # Errors
    /// In words, the first place where they do not.
    pub fn check_tiling(&self, len: usize) -> Result<(), String> {
        // The next offset in the frame, and in each buffer.
        let mut next = vec![0];
        next.extend(self.buffers.iter().map(|buffer| buffer.start as usize));
        // The buffers come in the order of their offsets, after the frame.
        let space = |offset| self.buffers.partition_point(|buffer| buffer.start <= offset);
        for (index, node) in self.nodes.iter().enumerate() {
            if !node.kind().covers_bytes() {
                continue;
            }
            let at = &mut next[space(node.start())];
            if node.start() as usize != *at {
                return Err(format!("node {index} starts at {:#x}, but {at:#x} is next", node.start()));
            }
            if self.is_leaf(index) {
                if node.is_empty() && len > 0 && !node.kind().is_container() {
                    return Err(format!("leaf {index} at {at:#x} is empty"));
                }
                *at += node.len() as usize;
            } else {
                let stop = self.parts(index).last().map(|child| self.nodes[child].stop());
                if stop != Some(node.stop()) {
                    return Err(format!(
                        "node {index} ends at {:#x}, its children at {stop:x?}",
                        node.stop()
                    ));
                }
            }
        }
        let ends = self.buffers.iter().map(|buffer| (buffer.start + buffer.len) as usize);
        for (at, end) in next.into_iter().zip(std::iter::once(len).chain(ends)) {
            if at != end {
                return Err(format!("the leaves end at {at:#x}, the bytes at {end:#x}"));
            }
        }
        Ok(())
    }
}
