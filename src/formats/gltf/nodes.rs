//! How nodes are named and chosen.

use super::asset::Asset;
use sinew_base::error::{Error, Kind, Result};

/// Longer paths are refused.
const MAX_PATH: usize = 4096;

impl Asset {
    /// The nodes of the scene that have a mesh.
    pub(super) fn mesh_nodes(&self) -> Vec<usize> {
        let has_mesh = |&node: &usize| self.document.nodes[node].mesh.is_some() && self.tree.in_scene[node];
        (0..self.document.nodes.len()).filter(has_mesh).collect()
    }

    pub(super) fn node_name(&self, node: usize) -> String {
        let name = self.document.nodes[node].name.clone().filter(|name| !name.is_empty());
        name.unwrap_or_else(|| format!("node{node}"))
    }

    /// The names of a node and of those above it, outermost first.
    pub(super) fn path_of(&self, node: usize) -> Result<String> {
        let mut names = Vec::new();
        let (mut next, mut length) = (Some(node), 0);
        while let Some(node) = next {
            names.push(self.node_name(node));
            length += names[names.len() - 1].len() + 1;
            if length > MAX_PATH {
                let message = format!("the path of a node has more than {MAX_PATH} characters");
                return Err(Error::new(Kind::TooLarge, message));
            }
            next = self.tree.parent(node);
        }
        Ok(names.iter().rev().map(|name| format!("/{name}")).collect())
    }

    /// The node with a mesh that a path such as `/root/body` names, or the only one.
    pub(super) fn choose_mesh(&self, wanted: Option<&str>) -> Result<usize> {
        self.choose("mesh", &self.mesh_nodes(), wanted)
    }

    /// One of some nodes by its path, or the only one; otherwise the error lists what there is.
    pub(super) fn choose(&self, title: &str, nodes: &[usize], wanted: Option<&str>) -> Result<usize> {
        let paths = nodes.iter().map(|&node| Ok((node, self.path_of(node)?)));
        let paths: Vec<(usize, String)> = paths.collect::<Result<_>>()?;
        let found = match (wanted, &paths[..]) {
            (None, [(node, _)]) => return Ok(*node),
            (_, []) => return Err(Error::new(Kind::NotFound, format!("the file has no {title}"))),
            (Some(wanted), _) => paths.iter().find(|(_, path)| path == wanted),
            (None, _) => None,
        };
        if let Some((node, _)) = found {
            return Ok(*node);
        }
        let list: Vec<&str> = paths.iter().take(20).map(|(_, path)| path.as_str()).collect();
        let more = if paths.len() > list.len() { ", ..." } else { "" };
        let list = format!("{}{more}; name one after the file, as in shot.glb{}", list.join(", "), list[0]);
        Err(match wanted {
            Some(wanted) => Error::new(Kind::NotFound, format!("there is no {title} {wanted}, but {list}")),
            None => Error::new(Kind::InvalidArgument, format!("{} of {title}: {list}", paths.len())),
        })
    }
}
