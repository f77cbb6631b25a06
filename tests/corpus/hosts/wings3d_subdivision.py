"""wings3d's kernels for subdivision (Catmull and Clark), on a cube: two levels, with colours, texture coordinates,
smooth normals and tangents. What is known of the result is compared."""

import sys

import numpy as np
from session import Session

UNITS = 4  # threads of kernels that add up, as the source has it

device = Session(sys.argv[1], integer=np.uint32)
buffer, zeros, read, check = device.buffer, device.zeros, device.read, device.check


def launch(name, count, *arguments):
    device.launch(name, ((count + 31) // 32 * 32,), (32,), *arguments)


def edges_of(faces):
    """Two vertices and the two faces beside them, the first with the edge in its own direction."""
    found = {}
    for number, face in enumerate(faces):
        for a, b in zip(face, np.roll(face, -1)):
            if (b, a) in found:
                found[b, a].append(number)
            else:
                found[a, b] = [int(a), int(b), number]
    return np.array(list(found.values()), np.int32)


class Mesh:
    def __init__(self, corners, faces):
        self.vertices, self.faces = len(corners), len(faces)
        edges = edges_of(faces)
        self.edges = len(edges)
        valence = np.bincount(edges[:, :2].ravel(), minlength=self.vertices)
        self.points = np.column_stack([corners, valence * 4]).astype(np.float32)
        self.face_data = faces.astype(np.int32).ravel()
        self.edge_data = edges

    def subdivide(self):
        vertices = self.vertices + self.faces + self.edges
        corners = self.faces * 4
        # A face's last corner is followed by one more read.
        faces_in = buffer(np.append(self.face_data, np.int32(-1)))
        edges_in = buffer(self.edge_data)
        index = buffer(np.array([(4 * i, 4) for i in range(self.faces)], np.int32))
        first = np.zeros((vertices, 4), np.float32)
        first[: self.vertices] = self.points
        sections = np.zeros((UNITS, vertices, 4), np.float32)
        sections[0] = first
        points_in, points_out = buffer(first), buffer(sections)
        faces_out, edges_out = zeros((corners, 4), np.int32), zeros((4 * self.edges, 4), np.int32)
        n_faces, n_vertices, n_edges = self.faces, self.vertices, self.edges
        launch("gen_faces", n_faces, points_in, faces_in, index, points_out, faces_out, n_faces, n_vertices)
        launch("gen_edges", n_edges, points_in, faces_in, edges_in, index, points_out, faces_out, edges_out, n_faces,
               n_vertices, n_edges)
        launch("add_center", UNITS, faces_in, index, points_out, n_faces, n_vertices, vertices)
        launch("add_edge_verts", UNITS, points_in, points_out, edges_in, n_edges, vertices)
        launch("move_verts", vertices, points_in, points_out, n_vertices, vertices)
        finer = Mesh.__new__(Mesh)
        finer.vertices, finer.faces, finer.edges = vertices, corners, 4 * self.edges
        finer.points = read(points_in, (vertices, 4))
        finer.face_data = read(faces_out, (corners, 4), np.int32).ravel()
        finer.edge_data = read(edges_out, (4 * self.edges, 4), np.int32)
        return finer


def attributes(mesh, finer):
    """Colours, coordinates, normals and tangents of the finer mesh."""
    index = buffer(np.array([(4 * i, 4) for i in range(mesh.faces)], np.int32))
    for name, width in (("subd_vcolor", 3), ("subd_uv", 2), ("subd_col_uv", 5)):
        values = np.random.default_rng(width).random((mesh.faces * 4, width), np.float32)
        out = zeros((finer.faces * 4, width))
        launch(name, mesh.faces, buffer(values), index, out, mesh.faces)
        centers = read(out, (mesh.faces, 4, 4, width))[:, :, 2]
        check(name, np.allclose(centers, values.reshape(mesh.faces, 1, 4, width).mean(2), rtol=1e-5))
    points, faces, edges = buffer(finer.points), buffer(finer.face_data), buffer(finer.edge_data)
    vab = zeros((finer.faces * 4, 6))
    launch("create_vab_all", finer.faces, points, faces, vab, finer.faces)
    sides = read(vab, (finer.faces, 4, 6))
    check("normals", np.allclose(np.linalg.norm(sides[:, :, 3:], axis=2), 1, rtol=1e-5))
    selected = buffer(np.array([(0, 2, 0), (4, 1, 2)], np.int32))
    launch("create_vab_sel", 2, points, faces, selected, zeros((12, 6)), 2)
    for name, width in (("get_sel_vcolor", 3), ("get_sel_uv", 2), ("get_sel_col_uv", 5)):
        launch(name, 2, selected, zeros((finer.faces * 4, width)), zeros((12, width)), 2)
    launch("gen_some_edges", 2 * mesh.edges, edges, points, zeros((4 * mesh.edges, 3)), 1, 2 * mesh.edges)
    smooth, out1, out2 = (zeros((n, 4)) for n in (UNITS * finer.vertices, finer.faces * 4, finer.faces * 4))
    launch("clearf", finer.faces * 4, out1, 4, finer.faces * 4)
    launch("smooth_ns_pass0", UNITS, faces, vab, smooth, finer.faces, finer.vertices)
    launch("smooth_ns_pass1", finer.edges, edges, faces, vab, out1, out2, finer.edges)
    launch("smooth_ns", finer.faces, faces, points, smooth, vab, out1, out2, finer.faces, finer.vertices)
    check("smooth normals", np.allclose(np.linalg.norm(read(out1, (finer.faces * 4, 4))[:, :3], axis=1), 1, rtol=1e-4))
    uv = np.random.default_rng(7).random((finer.faces * 4, 5), np.float32)
    tangents = zeros((2 * finer.vertices, 4))
    launch("gen_tangents_uv", UNITS, points, faces, buffer(uv[:, 3:]), tangents, finer.faces, finer.vertices)
    launch("gen_tangents_col_uv", UNITS, points, faces, buffer(uv), tangents, finer.faces, finer.vertices)
    launch("gen_tangents", finer.faces, faces, vab, tangents, zeros((finer.faces * 4, 4)), finer.faces, finer.vertices)


corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
cube = Mesh(corners, np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]))
once = cube.subdivide()
# A corner of the cube moves to 5/9 of where it was; edges' middles to 3/4, faces' middles stay.
check("corners", np.allclose(once.points[:8, :3], corners * np.float32(5 / 9), rtol=1e-5))
check("faces", np.allclose(np.abs(once.points[8:14, :3]).sum(1), 1))
check("edges", np.allclose(np.abs(once.points[14:, :3]).max(1), 0.75))
twice = once.subdivide()
check("twice", np.isfinite(twice.points).all() and twice.vertices == 98)
attributes(once, twice)
device.end()
