package dev.stepwell.worker.state;

/**
 * An object of ours in the blob topic, such as a folder of a workspace; immutable. Unlike pieces
 * these are never given to a sandbox as they are.
 *
 * @param id the SHA-256 of what it says, wherever what it refers to lies
 * @param bytes its size
 * @param at where it is
 */
public record Stored(PieceId id, int bytes, Location.InTopic at) {}
